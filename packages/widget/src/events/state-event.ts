import type { SessionState } from '@vestibule/shared';

/** `vestibule-state`: the reader's session has come into another state, or its state has become known. */
export class VestibuleStateEvent extends CustomEvent<{ readonly state: SessionState }> {
  static readonly type = 'vestibule-state';

  constructor(state: SessionState) {
    super(VestibuleStateEvent.type, { bubbles: true, composed: true, detail: { state } });
  }
}

declare global {
  interface HTMLElementEventMap {
    'vestibule-state': VestibuleStateEvent;
  }
}
