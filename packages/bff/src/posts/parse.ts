/** What requests about posts bring: bodies, queries, and the page. */

import * as z from 'zod';
import { countCodePoints, isBlank, type NewPost } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { LIST_ORDERS } from '../config/settings.ts';
import { commentId, parseInput, refusedOrigin, requireForum, text } from '../input.ts';
import { localize, type LocalizedText } from '../lib/text.ts';
import { ProblemError } from '../problem.ts';
import type { ConversationQuery, PostListQuery } from './list.ts';

const PAGE_MAX_LENGTH = 2_048;

const newPost = z.strictObject({
  forum: text, message: text, page: text.optional(), parent: commentId.optional(), expected_user_id: text.optional(),
});

const conversationOf = z.strictObject({ id: commentId });

/** `post-rejected` with the hook's reason, or with a sentence of ours. @param refusal for the log: which hook refused what */
export function rejection(
  reason: LocalizedText | undefined, languages: readonly string[], { threads }: Pick<Config, 'threads'>, refusal: string,
): ProblemError {
  const detail = localize(reason ?? '', languages);
  // A ready-made thread has refused, or the hook of the file that runs in addition.
  const diagnosis = threads === undefined ? { reason: `the hook ${refusal}` }
    : { reason: `the thread or the hook ${refusal}`, setting: 'VESTIBULE_THREADS, VESTIBULE_CONFIG' };
  return new ProblemError('post-rejected', { ...(detail !== '' && { detail }), diagnosis });
}

/** @throws {ProblemError} `invalid-request`, `message-too-long`, `forum-not-allowed` */
export function parseNewPost(body: unknown, { messageMaxLength, forums, origins, posts }: Config): NewPost {
  const { page, message, ...rest } = parseInput(newPost, body);
  if (rest.parent !== undefined && !posts.replies) throw new ProblemError('invalid-request', { detail: 'parent: this site takes no replies.' });
  requireMessage(message, messageMaxLength);
  requireForum(forums, rest.forum);
  return { ...rest as Omit<NewPost, 'message'>, message, ...(page !== undefined && { page: parsePage(page, origins) }) };
}

/** @param maxLength in code points @throws {ProblemError} `invalid-request`, `message-too-long` */
export function requireMessage(message: string, maxLength: number): void {
  if (isBlank(message)) throw new ProblemError('invalid-request', { detail: 'message must contain visible text.' });
  if (countCodePoints(message) > maxLength) {
    throw new ProblemError('message-too-long', { detail: `The comment is longer than ${maxLength} characters.` });
  }
}

/** @throws {ProblemError} `invalid-request`, `forum-not-allowed` */
export function parseListQuery(
  { forums, origins }: Pick<Config, 'forums' | 'origins'>,
  { forum, page, order = 'newest', cursor }: Readonly<Partial<Record<'forum' | 'page' | 'order' | 'cursor', string | undefined>>>,
): PostListQuery {
  const known = LIST_ORDERS.find((one) => one === order);
  if (!known) throw new ProblemError('invalid-request', { detail: `order must be one of ${LIST_ORDERS.join(', ')}.` });
  if (page === undefined) throw new ProblemError('invalid-request', { detail: 'page is missing.' });
  const query = { forum: requireForum(forums, forum), page: parsePage(page, origins), order: known };
  return cursor === undefined ? query : { ...query, cursor };
}

/** @throws {ProblemError} `invalid-request`, `forum-not-allowed` */
export function parseConversationQuery(
  { forums, origins }: Pick<Config, 'forums' | 'origins'>, { id, forum, page }: Readonly<Partial<Record<'id' | 'forum' | 'page', string | undefined>>>,
): ConversationQuery {
  if (page === undefined) throw new ProblemError('invalid-request', { detail: 'page is missing.' });
  return { ...parseInput(conversationOf, { id }), forum: requireForum(forums, forum), page: parsePage(page, origins) };
}

/** The page's URL as the URL Standard serializes it: percent-encodings stay. @throws {ProblemError} `invalid-request` */
export function parsePage(page: string, origins: readonly string[]): string {
  const allowed = pageOf(page, origins);
  if (allowed !== null) return allowed;
  const url = URL.parse(page);
  const isForeign = url !== null && !origins.includes(url.origin);
  throw new ProblemError('invalid-request', {
    detail: 'page must be an http or https URL on an allowed origin, without credentials or fragment, '
      + `of at most ${PAGE_MAX_LENGTH} characters.`,
    diagnosis: isForeign ? refusedOrigin(url, origins) : { reason: 'page is not an http or https URL', setting: 'the attribute page' },
  });
}

/** As `parsePage`; `null`: the page is not allowed. */
export function pageOf(page: string, origins: readonly string[]): string | null {
  const isPlain = page.length <= PAGE_MAX_LENGTH && /^https?:\/\//i.test(page) && !/[\s\p{Cc}\\#]/u.test(page);
  const url = isPlain ? URL.parse(page) : null;
  const isAllowed = url !== null && url.username === '' && url.password === '' && origins.includes(url.origin);
  return isAllowed ? url.href : null;
}
