/** Asks the service for the states of comments: what its moderators decide reaches the thread. The service has no list of
 *  changes; `posts/details` is one call for a comment. */

import * as z from 'zod';
import type { Clock } from '../lib/time.ts';
import { ProblemError } from '../problem.ts';
import type { ServiceClient } from '../service/client.ts';
import type { CommentFile, CommentRow, CommentState } from './comment-file.ts';
import { isMissing } from './service.ts';

/** Older comments are not asked for, in ms. */
const AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Between two rounds of all processes that share the file, in ms; after a rate limit, or where the service has no such call. */
export const ROUND_MS = 5 * 60_000;
const REST_MS = 60 * 60_000;
const ROUND_COMMENTS = 20;

const flag = z.boolean().optional().catch(undefined);
const details = z.object({ isApproved: flag, isSpam: flag, isDeleted: flag });

export interface StatesResult {
  readonly asked: number;
  readonly changed: number;
  /** Why it ended early. */
  readonly failure?: ProblemError | undefined;
}

export interface StatesDeps {
  readonly comments: CommentFile;
  readonly service: Pick<ServiceClient, 'request'>;
  readonly now: Clock;
}

/** @param limit held ones first, then those that were not asked for longest; default: all @throws {StoreUnavailableError} */
export async function updateStates({ comments, service, now }: StatesDeps, limit = -1): Promise<StatesResult> {
  const { file, site, byId, read, write } = comments;
  const rows = read(() => file.db.prepare(`SELECT * FROM comment WHERE site = ? AND is_of_service AND at > ? AND state <> 'removed'
    ORDER BY state = 'pending' DESC, asked_at, n LIMIT ?`).all(site, now() - AGE_MS, limit)) as unknown as readonly CommentRow[];
  let changed = 0;
  for (const [asked, { id, n }] of rows.entries()) {
    const state = await stateAtService(service, id).catch((error: unknown) => {
      if (error instanceof ProblemError) return error;
      throw error;
    });
    if (state instanceof ProblemError) return { asked, changed, failure: state };
    await write(() => {
      file.db.prepare('UPDATE comment SET asked_at = ? WHERE n = ?').run(now(), n);
      const row = byId(id);
      if (row && state) comments.followService(row, state);
      changed += Number(byId(id)?.state !== row?.state);
    });
  }
  return { asked: rows.length, changed };
}

/** One round for all processes that share the file; `undefined`: it is not due. @throws {StoreUnavailableError} */
export async function updateRound(deps: StatesDeps): Promise<StatesResult | undefined> {
  const { comments: { file, site, write }, now } = deps;
  const setDue = (ms: number) => write(() => file.db.prepare(`INSERT INTO due (site, task, at) VALUES (:site, 'states', :at)
    ON CONFLICT DO UPDATE SET at = excluded.at WHERE due.at <= :now OR due.at > :now + ${REST_MS}`).run({ site, at: now() + ms, now: now() }).changes);
  if (await setDue(ROUND_MS) === 0) return undefined;
  const result = await updateStates(deps, ROUND_COMMENTS);
  // The service has answered, and takes no more of these calls.
  if (result.failure?.diagnosis['service_status'] !== undefined) {
    await write(() => { file.db.prepare("UPDATE due SET at = ? WHERE site = ? AND task = 'states'").run(now() + REST_MS, site); });
  }
  return result;
}

/** `undefined`: the service does not have it. @throws {ProblemError} */
async function stateAtService(service: StatesDeps['service'], id: string): Promise<CommentState | undefined> {
  let record: unknown;
  try {
    record = await service.request('GET', '/api/3.0/posts/details.json', { post: id });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const { isApproved, isSpam, isDeleted } = details.catch({}).parse(record);
  if (isDeleted) return 'removed';
  if (isApproved === false || isSpam) return 'pending';
  return isApproved ? 'published' : undefined;
}
