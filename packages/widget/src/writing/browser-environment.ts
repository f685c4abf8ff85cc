/** The outbox of this document for a BFF. */

import { BffClient, BffError } from '../client/client.ts';
import { networkProblem } from '../client/problem.ts';
import { backoffMs } from '../lib/backoff.ts';
import { isPageLeft } from '../lib/page-left.ts';
import { randomKey } from '../lib/random-key.ts';
import { SessionStore } from '../session/session-store.ts';
import { isKept, list, read, remove, write } from '../storage/storage.ts';
import { Outbox, type Answer, type Environment } from './outbox.ts';

const outboxes = new Map<string, Outbox>();

export function outboxOf(bff: URL): Outbox {
  let outbox = outboxes.get(bff.href);
  if (!outbox) {
    outbox = new Outbox(bff.href, environmentOf(bff));
    outboxes.set(bff.href, outbox);
    SessionStore.at(bff).onEmpty.add(() => outboxes.get(bff.href)!.clear());
  }
  return outbox;
}

const environmentOf = (bff: URL): Environment => ({
  read, write, isKept, remove, list, randomKey, backoffMs,
  now: () => Date.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  isOnline: () => navigator.onLine,
  isLeft: isPageLeft,
  post: async (post, key, language): Promise<Answer> => {
    try {
      return { created: await new BffClient(bff).createPost(post, key, { language }) };
    } catch (error) {
      if (error instanceof BffError) return { problem: error.problem, retryAfterSeconds: error.retryAfterSeconds };
      reportError(error);
      return { problem: networkProblem };
    }
  },
  lock: ifFree,
  listen: (onWake) => {
    const life = new AbortController();
    const { signal } = life;
    const onReturn = (): void => { if (!document.hidden) onWake(); };
    for (const type of ['online', 'offline']) window.addEventListener(type, () => onWake(type === 'online'), { signal });
    for (const type of ['pageshow', 'focus']) window.addEventListener(type, onReturn, { signal });
    document.addEventListener('visibilitychange', onReturn, { signal });
    window.addEventListener('storage', ({ key }) => { if (key?.startsWith('vestibule:') ?? true) onWake(); }, { signal });
    return () => life.abort();
  },
  reportError: (error) => reportError(error),
});

/** Runs `act`, unless another document runs one of this name. Where the browser has no Web Locks (no secure context), always. */
async function ifFree(name: string, act: () => Promise<void>): Promise<void> {
  const { locks } = navigator as Partial<Navigator>;
  if (!locks) return act();
  let hasAsked = false;
  try {
    await locks.request(`vestibule ${name}`, { ifAvailable: true }, async (lock) => {
      hasAsked = true;
      if (lock) await act();
    });
  } catch (error) {
    // What `act` has thrown; or the browser has no locks for this page.
    if (hasAsked) throw error;
    await act();
  }
}
