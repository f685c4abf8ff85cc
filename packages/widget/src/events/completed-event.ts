/** `vestibule-completed`: the validation is over and the browser is about to go to `detail.completionUrl`. A page that
 *  cancels the event navigates by itself. The URL carries the access token: never log, show or keep it. */
export class VestibuleCompletedEvent extends CustomEvent<{ readonly completionUrl: string }> {
  static readonly type = 'vestibule-completed';

  constructor(completionUrl: string) {
    super(VestibuleCompletedEvent.type, { bubbles: true, composed: true, cancelable: true, detail: { completionUrl } });
  }
}

declare global {
  interface HTMLElementEventMap {
    'vestibule-completed': VestibuleCompletedEvent;
  }
}
