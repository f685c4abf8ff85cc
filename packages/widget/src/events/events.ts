/** Events of the elements. */

import type { PostCreated, SessionState } from '@vestibule/shared';
import { VestibuleEvent, type VestibuleErrorEvent } from './error-event.ts';

/** `vestibule-ready`: the reader can type. */
export class VestibuleReadyEvent extends VestibuleEvent<null> {
  constructor() {
    super('vestibule-ready', null);
  }
}

/** `vestibule-completed`: the validation is over and the browser is about to go to `detail.completionUrl`. A page that
 *  cancels the event navigates by itself. The URL carries the access token: never log, show or keep it. */
export class VestibuleCompletedEvent extends VestibuleEvent<{ readonly completionUrl: string }> {
  constructor(completionUrl: string) {
    super('vestibule-completed', { completionUrl }, true);
  }
}

/** `vestibule-before-post`: the reader posts `detail.message`, as a reply to the comment `detail.parent` if there is one. A page
 *  that cancels the event keeps the text in the box, and says why. */
export class VestibuleBeforePostEvent extends VestibuleEvent<{ readonly message: string; readonly parent?: string | undefined }> {
  constructor(message: string, parent?: string) {
    super('vestibule-before-post', { message, parent }, true);
  }
}

/** `vestibule-posted`: the service has created the post; `detail.post` is its own record of it, `detail.listed` the entry of the
 *  list, `detail.parent` the comment that it replies to. */
export class VestibulePostedEvent extends VestibuleEvent<PostCreated & { readonly parent?: string | undefined }> {
  constructor(created: PostCreated, parent?: string) {
    super('vestibule-posted', { ...created, ...(parent !== undefined && { parent }) });
  }
}

/** `vestibule-state`: the reader's session has come into another state, or its state has become known. */
export class VestibuleStateEvent extends VestibuleEvent<{ readonly state: SessionState }> {
  constructor(state: SessionState) {
    super('vestibule-state', { state });
  }
}

declare global {
  interface HTMLElementEventMap {
    'vestibule-error': VestibuleErrorEvent;
    'vestibule-ready': VestibuleReadyEvent;
    'vestibule-completed': VestibuleCompletedEvent;
    'vestibule-before-post': VestibuleBeforePostEvent;
    'vestibule-posted': VestibulePostedEvent;
    'vestibule-state': VestibuleStateEvent;
  }
}
