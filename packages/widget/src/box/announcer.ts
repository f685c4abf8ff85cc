/** What the box says to a screen reader: in one region, once its window has the focus. What is seen is no live region. */

import { muteDescription, setText } from '../lib/live-text.ts';
import { onceFocused } from '../lib/once-focused.ts';

/** What is said where it appears or changes. */
const SEEN = ['#status', '#alert', '#near'] as const;

export class Announcer {
  readonly #root: ShadowRoot;
  #seen: readonly string[] = [];
  #next = '';

  constructor(root: ShadowRoot) {
    this.#root = root;
  }

  /** To be called after each update of the box. */
  update(): void {
    const seen = SEEN.map((one) => this.#root.querySelector(one)?.textContent.trim() ?? '');
    const news = seen.filter((text, index) => text !== '' && text !== this.#seen[index]);
    this.#seen = seen;
    if (news.length === 0) return;
    // A screen reader speaks a description that changes, and each one when the window has the focus again.
    const field = this.#root.querySelector('#text');
    if (!document.hasFocus() || field === this.#root.activeElement) muteDescription(field, ['status', 'alert']);
    this.say(news.join(' '));
  }

  /** The same sentence again, where it is true of something else. */
  say(text: string): void {
    const isWaiting = this.#next !== '';
    this.#next = [this.#next, text].filter(Boolean).join(' ');
    if (!isWaiting) onceFocused(() => {
      const region = this.#root.querySelector('#said');
      if (region) setText(region, this.#next, true);
      this.#next = '';
    });
  }
}
