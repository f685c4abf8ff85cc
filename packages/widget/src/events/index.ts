/** What the elements tell the page. Every event bubbles and is composed. */

export { CompletedEvent } from './completed-event.ts';
export { ErrorEvent } from './error-event.ts';
export { PostedEvent } from './posted-event.ts';
export { ReadyEvent } from './ready-event.ts';
export { StateEvent } from './state-event.ts';
