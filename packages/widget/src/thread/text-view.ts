/**
 * Texts of comments. All of a text is in the document: a long one is folded by its height, and opens when the browser scrolls
 * within it, to what it has found, or when something in it gets the focus.
 */

import { html, noChange, nothing, type TemplateResult } from 'lit';
import { Directive, directive, type ElementPart } from 'lit/directive.js';
import { guard } from 'lit/directives/guard.js';
import { scaleOf } from '../lib/scale.ts';
import type { ThreadStrings } from '../locales/en-thread.ts';
import type { Comment } from './comment-tree.ts';
import { splitLinks } from './text-segments.ts';
import type { VestibuleThread } from './vestibule-thread.ts';

/** Which texts are long, and which of them the reader has opened, by the keys of their comments. */
export class TextFolds {
  readonly #open = new Set<Comment['key']>();
  readonly #long = new Set<Comment['key']>();
  readonly #host: VestibuleThread;
  readonly #heights = new ResizeObserver((entries) => {
    const before = [...this.#long].join();
    for (const target of entries.map((entry) => entry.target as FoldedText)) {
      if (target.matches('.clamped:not([hidden])')) this.#long[target.scrollHeight > target.clientHeight + 1 ? 'add' : 'delete'](target.commentKey);
    }
    // Not here: sizes that change again would be an error of the page. Nor in the next frame, which has its own layout to do.
    if ([...this.#long].join() !== before) setTimeout(() => this.#host.requestUpdate());
  });

  constructor(host: VestibuleThread) {
    this.#host = host;
  }

  observe(text: Element): void {
    this.#heights.observe(text);
  }

  isOpen(key: Comment['key']): boolean {
    return this.#open.has(key);
  }

  isLong(key: Comment['key']): boolean {
    return this.#long.has(key);
  }

  toggle(key: Comment['key'], isOpen: boolean): void {
    this.#open[isOpen ? 'add' : 'delete'](key);
    this.#host.requestUpdate();
    if (isOpen) return;
    // The end of a long text is far below.
    void this.#host.updateComplete.then(() => this.#host.find(key, '.author')?.scrollIntoView({ block: 'nearest' }));
  }

  /** The browser has scrolled within the text, or something in it has got the focus. */
  readonly onReach = (event: Event): void => {
    const text = event.currentTarget as FoldedText;
    const { commentKey: key, scrollTop } = text;
    // A text that becomes shorter is scrolled, too.
    if (!this.isLong(key) || this.isOpen(key) || (event.type === 'scroll' && scrollTop === 0)) return;
    // What was found stays where it is on the screen.
    const top = scrollTop * scaleOf(text);
    this.toggle(key, true);
    void this.#host.updateComplete.then(() => {
      text.scrollTop = 0;
      scrollBy({ top, behavior: 'instant' });
    });
  };
}

type FoldedText = HTMLElement & { readonly commentKey: Comment['key'] };

/** Observes the element once. `ref` would do it, too, and brings half a kilobyte for elements that come and go. */
const observed = directive(class extends Directive {
  #isObserved = false;

  render(_folds: TextFolds): typeof noChange {
    return noChange;
  }

  override update({ element }: ElementPart, [folds]: [TextFolds]): typeof noChange {
    if (!this.#isObserved) folds.observe(element);
    this.#isObserved = true;
    return noChange;
  }
});

/** @param isHidden an editor stands in its place */
export function textView({ key, message }: Comment, isHidden: boolean, folds: TextFolds): TemplateResult {
  const kind = folds.isOpen(key) ? '' : folds.isLong(key) ? 'clamped long' : 'clamped';
  return html`<p class="message ${kind}" part="message" dir="auto" ?hidden=${isHidden} .commentKey=${key} @scroll=${folds.onReach}
    @focusin=${folds.onReach} ${observed(folds)}>${guard([message], () => segments(message))}</p>`;
}

/** Below the text. @param author id of its author's element */
export function foldView({ key }: Comment, author: string, folds: TextFolds, { tag, strings }: {
  readonly tag: string; readonly strings: ThreadStrings;
}): unknown {
  const isOpen = folds.isOpen(key);
  return !folds.isLong(key) ? nothing : html`<button class="quiet whole" part="button" lang=${tag} aria-expanded=${isOpen}
    aria-describedby=${author} @click=${() => folds.toggle(key, !isOpen)} .textContent=${isOpen ? strings.showLess : strings.showWhole}></button>`;
}

/** No space between the pieces: the text is pre-formatted. Several blank lines are one. */
function segments(message: string): unknown {
  const text = message.replace(/\r\n?/g, '\n').replace(/\n(?:[^\S\n]*\n){2,}/g, '\n\n');
  return splitLinks(text).map((part) => (typeof part === 'string' ? part
    : html`<a dir="ltr" href=${part.href} target="_blank" rel="ugc nofollow noopener">${part.text}</a>`));
}
