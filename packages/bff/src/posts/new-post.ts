/** Parses the body of `POST /posts`, and the address of an article. */

import * as z from 'zod';
import { countCodePoints, isBlank, type NewPost } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { refusedOrigin } from '../http/origin-check.ts';
import { parseInput, text } from '../http/request-input.ts';
import { ProblemError } from '../http/problem-error.ts';

const newPost = z.strictObject({ forum: text, message: text, page: text.optional(), expected_user_id: text.optional() });

const PAGE_MAX_LENGTH = 2_048;

/** @throws {ProblemError} `invalid-request`, `message-too-long` */
export function parseNewPost(body: unknown, { messageMaxLength, origins }: Pick<Config, 'messageMaxLength' | 'origins'>): NewPost {
  const { forum, message, page, expected_user_id } = parseInput(newPost, body);
  if (isBlank(message)) throw new ProblemError('invalid-request', { detail: 'message must contain visible text.' });
  if (countCodePoints(message) > messageMaxLength) {
    throw new ProblemError('message-too-long', { detail: `The comment is longer than ${messageMaxLength} characters.` });
  }
  return {
    forum, message,
    ...(page !== undefined && { page: parsePage(page, origins) }), ...(expected_user_id !== undefined && { expected_user_id }),
  };
}

/** @returns the page's URL, normalized @throws {ProblemError} `invalid-request` */
export function parsePage(page: string, origins: readonly string[]): string {
  const url = page.length <= PAGE_MAX_LENGTH && !/[\s\p{Cc}\\]/u.test(page) ? URL.parse(page) : null;
  const isWellFormed = url !== null && /^https?:\/\//i.test(page) && url.username === '' && url.password === '' && !page.includes('#');
  if (isWellFormed && origins.includes(url.origin)) return url.href;
  throw new ProblemError('invalid-request', {
    detail: `page must be an http or https URL on an allowed origin, without credentials or fragment, of at most ${PAGE_MAX_LENGTH} characters.`,
    diagnosis: isWellFormed ? refusedOrigin(url, origins) : { reason: 'page is not an http or https URL', setting: 'the attribute page' },
  });
}
