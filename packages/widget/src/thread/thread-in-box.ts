/** The thread as the comment box shows it. Loading this module registers `<vestibule-thread>`, unless the page has it. */

import { html, nothing, render, type LitElement, type ReactiveController } from 'lit';
import type { OwnPost } from '../storage/reader-records.ts';
import { pageIdentity } from '../storage/page-identity.ts';
import type { OwnStrings } from '../locales/own-strings.ts';
import { VestibuleThread } from './vestibule-thread.ts';

if (!customElements.get('vestibule-thread')) customElements.define('vestibule-thread', VestibuleThread);

/** The box, as far as the thread needs it. */
export interface ThreadBox extends LitElement {
  readonly forum: string;
  readonly bff: string | null;
  readonly page: string | null;
  readonly localizer: { readonly tag: string };
  readonly headingLevel: number;
  readonly strings: OwnStrings | undefined;
  readonly showPosts: boolean;
  readonly ownPosts: readonly OwnPost[] | undefined;
}

const boxes = new WeakSet<ThreadBox>();

/** Keeps the thread at the end of `box`. A second call for the same box does nothing. */
export function addThread(box: ThreadBox): void {
  if (boxes.has(box)) return;
  boxes.add(box);
  box.addController(new ThreadInBox(box));
  box.requestUpdate();
}

/** The thread's slot comes first in the box, so that it takes the page's own posts from the box's slot of that name. */
class ThreadInBox implements ReactiveController {
  readonly #box: ThreadBox;

  constructor(box: ThreadBox) {
    this.#box = box;
  }

  hostUpdated(): void {
    const { renderRoot, showPosts, forum, page, bff, localizer, headingLevel, strings, ownPosts = [] } = this.#box;
    const thread = showPosts ? html`
      <vestibule-thread exportparts="thread, thread-heading, thread-status, post, message, button"
        forum=${forum} page=${pageIdentity(page)} bff=${bff ?? nothing} lang=${localizer.tag}
        heading-level=${Math.min(headingLevel + 1, 6)} .strings=${strings} .ownPosts=${ownPosts}
      ><slot name="posts"></slot></vestibule-thread>
    ` : nothing;
    const section = renderRoot.querySelector('section')!;
    render(thread, section, { renderBefore: section.lastElementChild });
  }
}
