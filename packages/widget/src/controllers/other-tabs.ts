/** The draft in other tabs of this browser: what was posted there is not to be posted here once more. */

import type { ReactiveController } from 'lit';
import type { Draft } from '../lib/draft.ts';

/** What the controller needs of its element. */
export interface DraftHost {
  readonly draft: Draft;
  /** Puts the draft's text into the field. */
  showDraft(): void;
}

export class OtherTabs implements ReactiveController {
  readonly #host: DraftHost;
  readonly #isBusy: () => boolean;
  #life: AbortController | undefined;

  /** @param isBusy whether the draft is on its way from here, which then decides what becomes of it */
  constructor(host: DraftHost, isBusy: () => boolean) {
    this.#host = host;
    this.#isBusy = isBusy;
  }

  hostConnected(): void {
    this.#life = new AbortController();
    window.addEventListener('storage', (change) => this.#follow(change), { signal: this.#life.signal });
  }

  hostDisconnected(): void {
    this.#life?.abort();
  }

  /** Empties the field where it holds, to the letter, what was kept with a key and is gone: that is a draft that was posted.
   *  One that the reader deleted there has no key. */
  #follow({ oldValue, newValue }: StorageEvent): void {
    const { draft } = this.#host;
    const { text, key } = draft;
    if (!text || newValue !== null || this.#isBusy() || postedText(oldValue) !== text) return;
    draft.read();
    if (draft.text) {
      draft.text = text;
      draft.key = key;
    } else {
      this.#host.showDraft();
    }
  }
}

function postedText(kept: string | null): string | undefined {
  try {
    const { text, key } = JSON.parse(kept ?? '{}') as { text?: string; key?: string };
    return key ? text : undefined;
  } catch {
    return undefined;
  }
}
