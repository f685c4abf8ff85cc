/** `vestibule-ready`: the reader can type. */
export class VestibuleReadyEvent extends Event {
  static readonly type = 'vestibule-ready';

  constructor() {
    super(VestibuleReadyEvent.type, { bubbles: true, composed: true });
  }
}

declare global {
  interface HTMLElementEventMap {
    'vestibule-ready': VestibuleReadyEvent;
  }
}
