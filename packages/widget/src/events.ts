/** Events of the elements. Each event bubbles and is composed. */

import type { PostCreated, SessionState } from '@vestibule/shared';
import type { WidgetProblem } from './client/problem.ts';

/** `vestibule-completed`: the validation is over and the browser is about to go to `detail.completionUrl`. A page that
 *  cancels the event navigates by itself. The URL carries the access token: never log, show or keep it. */
export class VestibuleCompletedEvent extends CustomEvent<{ readonly completionUrl: string }> {
  static readonly type = 'vestibule-completed';

  constructor(completionUrl: string) {
    super(VestibuleCompletedEvent.type, { bubbles: true, composed: true, cancelable: true, detail: { completionUrl } });
  }
}

/** `vestibule-error`: something failed, and the reader was told. */
export class VestibuleErrorEvent extends CustomEvent<{ readonly problem: WidgetProblem }> {
  static readonly type = 'vestibule-error';

  constructor(problem: WidgetProblem) {
    super(VestibuleErrorEvent.type, { bubbles: true, composed: true, detail: { problem } });
  }
}

/** `vestibule-before-post`: the reader posts `detail.message`, as a reply to the comment `detail.parent` if there is one. A page
 *  that cancels the event keeps the text in the box, and says why. */
export class VestibuleBeforePostEvent extends CustomEvent<{ readonly message: string; readonly parent?: string | undefined }> {
  static readonly type = 'vestibule-before-post';

  constructor(message: string, parent?: string) {
    super(VestibuleBeforePostEvent.type, { bubbles: true, composed: true, cancelable: true, detail: { message, parent } });
  }
}

/** `vestibule-posted`: the service has created the post; `detail.post` is its own record of it, `detail.listed` the entry of the
 *  list, `detail.parent` the comment that it replies to. */
export class VestibulePostedEvent extends CustomEvent<PostCreated & { readonly parent?: string | undefined }> {
  static readonly type = 'vestibule-posted';

  constructor(created: PostCreated, parent?: string) {
    const detail = { ...created, ...(parent !== undefined && { parent }) };
    super(VestibulePostedEvent.type, { bubbles: true, composed: true, detail });
  }
}

/** `vestibule-ready`: the reader can type. */
export class VestibuleReadyEvent extends Event {
  static readonly type = 'vestibule-ready';

  constructor() {
    super(VestibuleReadyEvent.type, { bubbles: true, composed: true });
  }
}

/** `vestibule-state`: the reader's session has come into another state, or its state has become known. */
export class VestibuleStateEvent extends CustomEvent<{ readonly state: SessionState }> {
  static readonly type = 'vestibule-state';

  constructor(state: SessionState) {
    super(VestibuleStateEvent.type, { bubbles: true, composed: true, detail: { state } });
  }
}

declare global {
  interface HTMLElementEventMap {
    'vestibule-completed': VestibuleCompletedEvent;
    'vestibule-error': VestibuleErrorEvent;
    'vestibule-before-post': VestibuleBeforePostEvent;
    'vestibule-posted': VestibulePostedEvent;
    'vestibule-ready': VestibuleReadyEvent;
    'vestibule-state': VestibuleStateEvent;
  }
}
