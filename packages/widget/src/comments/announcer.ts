/** What the box says to a screen reader: its status, once, and once its window has the focus. */

import { SAY_AFTER_MS } from '../lib/once-focused.ts';
import { muteDescription, setText } from '../lib/live-text.ts';
import type { CommentsHost } from './second-stage.ts';

/** `off`: another window has the focus, so what is said here is not heard. `again`: this one has it again; for a moment nothing
 *  is shown, so that it is a change. */
export type Hearing = 'on' | 'off' | 'again';

export class Announcer {
  readonly #host: CommentsHost;
  #hearing: Hearing = 'on';
  /** Status, alert, notice of a closed article, as they were announced last. */
  #said: readonly unknown[] = ['', null, null];

  constructor(host: CommentsHost) {
    this.#host = host;
  }

  get hearing(): Hearing {
    return this.#hearing;
  }

  /** Something has changed while another window has the focus. */
  sayOnReturn(): void {
    if (this.#hearing === 'off') return;
    this.#hear('off');
    addEventListener('focus', () => {
      muteDescription(this.#root.activeElement);
      this.#hear('again');
      setTimeout(() => this.#hearing === 'again' && this.#hear('on'), SAY_AFTER_MS);
    }, { once: true });
  }

  /** A live region says it: not the description of the focus, too. To be called after each update of the box. */
  say(status: string): void {
    const root = this.#root;
    const said = [status, root.querySelector('#alert'), root.querySelector('#closed')];
    if (said.some((one, index) => one !== this.#said[index])) muteDescription(root.activeElement);
    this.#said = said;
    setText(root.querySelector('#status')!, status);
  }

  #hear(hearing: Hearing): void {
    this.#hearing = hearing;
    this.#host.requestUpdate();
  }

  get #root(): ShadowRoot {
    return this.#host.renderRoot as ShadowRoot;
  }
}
