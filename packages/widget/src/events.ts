/** Events of the elements. Each event bubbles and is composed. */

import type { Post, SessionState } from '@vestibule/shared';
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

/** `vestibule-posted`: the service has created the post; `detail.post` is its own record of it. */
export class VestibulePostedEvent extends CustomEvent<{ readonly post: Post }> {
  static readonly type = 'vestibule-posted';

  constructor(post: Post) {
    super(VestibulePostedEvent.type, { bubbles: true, composed: true, detail: { post } });
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
    'vestibule-posted': VestibulePostedEvent;
    'vestibule-ready': VestibuleReadyEvent;
    'vestibule-state': VestibuleStateEvent;
  }
}
