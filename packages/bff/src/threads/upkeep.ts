/** What a process that serves does for a thread of ours beside requests: it stores posts that the thread lacks, and asks the
 *  service for states. A request itself tries for half a minute (`writeLater`); this finds in the records what that did not
 *  store, or a process that ended. */

import type { Logger } from 'pino';
import { ROUND_MS, updateRound, type StatesDeps } from './states.ts';

/** A younger post is still at work in the request that created it, in ms. */
const AT_WORK_MS = 60_000;

export interface UpkeepDeps extends StatesDeps {
  /** @param minAgeMs of the posts @returns how many the thread has now */
  readonly listUnlisted: (minAgeMs: number) => Promise<number>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Begins at once, with posts of a process that ended. @returns ends it */
export function startUpkeep(deps: UpkeepDeps): Disposable {
  const { log, listUnlisted } = deps;
  const attempt = (what: string, work: Promise<unknown>): void => {
    work.catch((err: unknown) => { log.warn({ err, setting: 'VESTIBULE_THREADS' }, `${what}: the next attempt follows in minutes`); });
  };
  const storePosts = async (minAgeMs: number): Promise<void> => {
    const posts = await listUnlisted(minAgeMs);
    if (posts > 0) log.info({ posts }, 'posts that the thread lacked were stored');
  };
  const askService = async (): Promise<void> => {
    const { failure } = await updateRound(deps) ?? {};
    if (failure) log.warn({ ...failure.diagnosis, problem: failure.type }, 'the service does not say which comments it holds or has removed');
  };
  attempt('posts cannot be stored in the thread', storePosts(0));
  const timer = setInterval(() => {
    attempt('posts cannot be stored in the thread', storePosts(AT_WORK_MS));
    attempt('the states of comments cannot be stored', askService());
  }, ROUND_MS).unref();
  return { [Symbol.dispose]: () => { clearInterval(timer); } };
}
