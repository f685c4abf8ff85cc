/** The thread within the comment box. Part of the thread's chunk: a box without one has none of it. */

import { html, type TemplateResult } from 'lit';
import type { ThreadBox } from '../comments/second-stage.ts';
import type { OwnPost } from '../storage/reader-records.ts';
import type { ThreadChange } from './vestibule-thread.ts';
import './vestibule-thread.ts';

/** @param page URL of the article @param account `user_id` of the reader; empty without one */
export function threadInBox(box: ThreadBox, page: string, account: string, ownPosts: readonly OwnPost[]): TemplateResult {
  const { forum, bff, sync, maxLength, theme, headingLevel, strings, order, reportUrl, closed } = box;
  return html`
    <vestibule-thread part="thread" exportparts="thread-status, post, message, button, badge" .forum=${forum} .page=${page} .bff=${bff}
      .sync=${sync} .maxLength=${maxLength} .theme=${theme} .headingLevel=${headingLevel} .strings=${strings} .order=${order} .closed=${closed}
      .reportUrl=${reportUrl} .ownPosts=${ownPosts} .account=${account}
      @change=${({ detail }: CustomEvent<ThreadChange>) => { box.list = detail; }}><slot name="posts"></slot></vestibule-thread>
  `;
}
