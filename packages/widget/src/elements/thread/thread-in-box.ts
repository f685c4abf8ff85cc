/** The thread as the comment box shows it. Loading this module registers `<vestibule-thread>`, unless the page has it. */

import { html, nothing, type TemplateResult } from 'lit';
import type { OwnPost } from '../../drafts/own-posts.ts';
import { pageIdentity } from '../../drafts/page-identity.ts';
import type { OwnStrings } from '../../locales/own-strings.ts';
import { VestibuleThread } from './vestibule-thread.ts';

if (!customElements.get('vestibule-thread')) customElements.define('vestibule-thread', VestibuleThread);

/** The box, as far as the thread needs it. */
export interface ThreadBox {
  readonly forum: string;
  readonly bff: string | null;
  readonly page: string | null;
  readonly localizer: { readonly tag: string };
  readonly headingLevel: number;
  readonly strings: OwnStrings | undefined;
}

export function threadInBox(box: ThreadBox, ownPosts: readonly OwnPost[]): TemplateResult {
  const { forum, page, bff, localizer, headingLevel, strings } = box;
  return html`
    <vestibule-thread exportparts="thread, thread-heading, thread-status, post, message, button"
      forum=${forum} page=${pageIdentity(page)} bff=${bff ?? nothing} lang=${localizer.tag}
      heading-level=${Math.min(headingLevel + 1, 6)} .strings=${strings} .ownPosts=${ownPosts}
    ><slot name="posts"></slot></vestibule-thread>
  `;
}
