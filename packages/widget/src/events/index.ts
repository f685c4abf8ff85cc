/** Events of the elements. Each event bubbles and is composed. */

export { VestibuleCompletedEvent } from './completed-event.ts';
export { VestibuleErrorEvent } from './error-event.ts';
export { VestibulePostedEvent } from './posted-event.ts';
export { VestibuleReadyEvent } from './ready-event.ts';
export { VestibuleStateEvent } from './state-event.ts';
