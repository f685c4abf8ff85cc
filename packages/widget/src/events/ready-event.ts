/** `vestibule-ready`: the reader can type. */
export class ReadyEvent extends Event {
  static readonly type = 'vestibule-ready';

  constructor() {
    super(ReadyEvent.type, { bubbles: true, composed: true });
  }
}

declare global {
  interface HTMLElementEventMap {
    'vestibule-ready': ReadyEvent;
  }
}
