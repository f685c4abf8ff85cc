/** The outcome of an action of the reader, or that there are new comments: said to screen readers, for a while. */

import type { ReactiveController } from 'lit';
import { setText } from '../lib/live-text.ts';
import { onceFocused } from '../lib/once-focused.ts';
import type { VestibuleThread } from './vestibule-thread.ts';

/** How long it is there, in ms: a reader who goes on finds no sentence that is over. */
const NOTE_MS = 4_000;

export class Note implements ReactiveController {
  readonly #host: VestibuleThread;
  #note: { readonly text: string; readonly id?: string | undefined } = { text: '' };

  constructor(host: VestibuleThread) {
    this.#host = host;
    host.addController(this);
  }

  /** Id of the comment that it is about. */
  get id(): string | undefined {
    return this.#note.id;
  }

  hostUpdated(): void {
    setText(this.#host.shadowRoot!.getElementById('note')!, this.#note.text);
  }

  say(text: string, id?: string): void {
    onceFocused(() => {
      const note = this.#show({ text, id });
      setTimeout(() => { if (this.#note === note) this.clear(); }, NOTE_MS);
    });
  }

  clear(): void {
    this.#show({ text: '' });
  }

  #show(note: { readonly text: string; readonly id?: string | undefined }): object {
    this.#note = note;
    this.#host.requestUpdate();
    return note;
  }
}
