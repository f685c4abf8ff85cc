/** The forum of a request. */

import { ProblemError } from '../http/problem-error.ts';

/** Returns `forum`, or the default forum. @throws {ProblemError} `forum-not-allowed` */
export function requireForum(forums: readonly string[], forum: string | undefined): string {
  const name = forum ?? forums[0];
  if (name === undefined || !forums.includes(name)) throw new ProblemError('forum-not-allowed');
  return name;
}
