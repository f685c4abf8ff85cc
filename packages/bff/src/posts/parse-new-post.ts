/** The body of `POST /posts`. */

import { countCodePoints, isBlank, type NewPost } from '@vestibule/shared';
import * as z from 'zod';
import { parseBody, text } from '../http/parse-body.ts';
import { ProblemError } from '../http/problem-error.ts';

const newPost = z.strictObject({ forum: text, message: text });

/** @throws {ProblemError} `invalid-request`, `message-too-long` */
export function parseNewPost(body: unknown, maxLength: number): NewPost {
  const { forum, message } = parseBody(newPost, body);
  if (isBlank(message)) throw new ProblemError('invalid-request', { detail: 'message must hold something to read.' });
  if (message.length > maxLength && countCodePoints(message) > maxLength) {
    throw new ProblemError('message-too-long', { detail: `The comment is longer than ${maxLength} characters.` });
  }
  return { forum, message };
}
