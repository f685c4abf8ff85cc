/** The elements' classes and types. Registers nothing: `@vestibule/widget/define` does. */

export type { WidgetProblem, WidgetProblemType } from './client/problem.ts';
export { VestibuleComments } from './element/vestibule-comments.ts';
export { VestibuleCount } from './count/vestibule-count.ts';
export { VestibuleSync } from './form/vestibule-sync.ts';
export { VestibuleErrorEvent } from './events/error-event.ts';
export {
  VestibuleBeforePostEvent, VestibuleCompletedEvent, VestibulePostedEvent, VestibuleReadyEvent, VestibuleStateEvent,
} from './events/events.ts';
export type { OwnStrings } from './locales/own-strings.ts';
