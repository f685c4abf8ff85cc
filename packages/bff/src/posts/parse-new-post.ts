/** The body of `POST /posts`. */

import { countCodePoints, isBlank, type NewPost } from '@vestibule/shared';
import { parseMembers } from '../http/parse-members.ts';
import { ProblemError } from '../http/problem-error.ts';

/** @throws {ProblemError} `invalid-request`, `message-too-long` */
export function parseNewPost(body: unknown, maxLength: number): NewPost {
  const { forum, message } = parseMembers(body, { forum: 'text', message: 'text' });
  if (isBlank(message)) throw new ProblemError('invalid-request', { detail: 'message must hold something to read.' });
  if (message.length > maxLength && countCodePoints(message) > maxLength) {
    throw new ProblemError('message-too-long', { detail: `The comment is longer than ${maxLength} characters.` });
  }
  return { forum, message };
}
