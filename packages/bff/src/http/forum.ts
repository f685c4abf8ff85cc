/** The forums that this BFF answers for. */

import { ProblemError } from './problem-error.ts';

/** `forum`, or the default where none is named. @throws {ProblemError} `forum-not-allowed` */
export function requireForum(forums: readonly string[], forum: string | undefined): string {
  const named = forum ?? forums[0];
  if (named === undefined || !forums.includes(named)) throw new ProblemError('forum-not-allowed');
  return named;
}
