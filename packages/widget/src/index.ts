/** The elements' classes and the types of what they tell a page. Registers nothing: `@vestibule/widget/define` does. */

export type { WidgetProblem, WidgetProblemType } from './api/problem.ts';
export { VestibuleComments } from './elements/comments/vestibule-comments.ts';
export { VestibuleSync } from './elements/sync/vestibule-sync.ts';
export { CompletedEvent, ErrorEvent, PostedEvent, ReadyEvent, StateEvent } from './events/index.ts';
export type { OwnStrings } from './locales/own-strings.ts';
