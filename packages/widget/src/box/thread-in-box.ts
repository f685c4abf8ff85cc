/** The thread within the box. */

import { html, type TemplateResult } from 'lit';
import type { ListedPost } from '@vestibule/shared';
import type { Box } from './box.ts';
import type { ShownEntry } from '../writing/outbox.ts';
import type { ThreadChange } from '../thread/thread-state.ts';
import { COMPOSER_PARTS } from '../thread/vestibule-thread.ts';
import '../thread/vestibule-thread.ts';
// What both use is in its chunk.
import './box.ts';

/** One array for all updates of the box, of which there is one a letter: the thread renders another one. */
const NONE: readonly ShownEntry[] = [];

export function threadInBox(box: Box): TemplateResult {
  const { element, article, entries, account, store } = box;
  const { forum, bff, sync, maxLength, theme, headingLevel, strings, order, reportUrl, closed } = element;
  const { shown } = entries;
  return html`
    <vestibule-thread part="thread" exportparts="thread-status, post, message, badge, order, ${COMPOSER_PARTS}"
      .forum=${forum} .page=${article.page} .bff=${bff}
      .sync=${sync} .maxLength=${maxLength} .theme=${theme} .headingLevel=${headingLevel} .strings=${strings} .order=${order} .closed=${closed}
      .reportUrl=${reportUrl} .entries=${shown.length > 0 ? shown : NONE} .entryParts=${entries.parts} .entriesName=${entries.strings.heading}
      .account=${account} .userKey=${store.user?.key}
      @sign-in=${() => box.signIn()} @stale=${() => box.refreshSession()}
      @list=${({ detail }: CustomEvent<readonly ListedPost[]>) => box.seeList(detail)}
      @change=${({ detail }: CustomEvent<ThreadChange>) => box.setList(detail)}><slot name="posts"></slot></vestibule-thread>
  `;
}
