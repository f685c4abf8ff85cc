/** The thread within the box. */

import { html, type TemplateResult } from 'lit';
import type { ListedPost } from '@vestibule/shared';
import { Article, type ArticleHost } from '../comments/article.ts';
import type { ShownEntry } from '../writing/outbox.ts';
import type { ThreadChange } from './thread-state.ts';
import { COMPOSER_PARTS, type VestibuleThread } from './vestibule-thread.ts';
import './vestibule-thread.ts';
// What both use is in its chunk.
import '../comments/box.ts';

/** The comment box, as far as its thread needs it. */
interface ThreadBox extends ArticleHost, Readonly<Pick<VestibuleThread,
  'forum' | 'bff' | 'sync' | 'maxLength' | 'theme' | 'headingLevel' | 'strings' | 'order' | 'closed' | 'reportUrl'>> {
  list: ThreadChange;
  seeList(posts: readonly ListedPost[]): void;
  signIn(): void;
  refreshSession(): void;
}

/** The second stage of the box, as far as its thread needs it. */
interface ThreadReader extends Pick<VestibuleThread, 'account' | 'userKey' | 'entriesName'> {
  readonly shown: readonly ShownEntry[];
  readonly entryParts: NonNullable<VestibuleThread['entryParts']>;
}

/** One array for all updates of the box, of which there is one a letter: the thread renders another one. */
const NONE: readonly ShownEntry[] = [];

/** The thread within the box.
 *  @param reader who is signed in; `undefined`: not known
 */
export function threadInBox(box: ThreadBox, reader: ThreadReader | undefined): TemplateResult {
  const { forum, bff, sync, maxLength, theme, headingLevel, strings, order, reportUrl, closed } = box;
  const { shown = NONE } = reader ?? {};
  return html`
    <vestibule-thread part="thread" exportparts="thread-status, post, message, badge, order, ${COMPOSER_PARTS}"
      .forum=${forum} .page=${Article.of(box).page} .bff=${bff}
      .sync=${sync} .maxLength=${maxLength} .theme=${theme} .headingLevel=${headingLevel} .strings=${strings} .order=${order} .closed=${closed}
      .reportUrl=${reportUrl} .entries=${shown.length > 0 ? shown : NONE} .entryParts=${reader?.entryParts} .entriesName=${reader?.entriesName ?? ''} .account=${reader?.account ?? ''}
      .userKey=${reader?.userKey}
      @sign-in=${() => box.signIn()} @stale=${() => box.refreshSession()}
      @list=${({ detail }: CustomEvent<readonly ListedPost[]>) => box.seeList(detail)}
      @change=${({ detail }: CustomEvent<ThreadChange>) => { box.list = detail; }}><slot name="posts"></slot></vestibule-thread>
  `;
}
