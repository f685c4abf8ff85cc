/** The outbox of this document. */

import { BffClient, BffError } from '../client/client.ts';
import { networkProblem } from '../client/problem.ts';
import { alone } from '../lib/alone.ts';
import { backoffMs } from '../lib/backoff.ts';
import { isPageLeft } from '../lib/page-left.ts';
import { randomKey } from '../lib/random-key.ts';
import type { Answer, Environment } from './environment.ts';
import { browserStore } from './outbox-entry.ts';
import { Outbox } from './outbox.ts';

let outbox: Outbox | undefined;

/** The document's one outbox. */
export function documentOutbox(): Outbox {
  outbox ??= new Outbox(browserEnvironment);
  return outbox;
}

export const browserEnvironment: Environment = {
  store: browserStore,
  now: () => Date.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  randomKey,
  backoffMs,
  isOnline: () => navigator.onLine,
  isLeft: isPageLeft,
  post: async (bff, post, key, language): Promise<Answer> => {
    try {
      return { created: await new BffClient(new URL(bff)).createPost(post, key, { language }) };
    } catch (error) {
      if (error instanceof BffError) return { problem: error.problem, retryAfterSeconds: error.retryAfterSeconds };
      reportError(error);
      return { problem: networkProblem };
    }
  },
  hold: (name, act) => alone(name, new AbortController().signal, act),
  ifFree,
  listen: (onWake) => {
    const life = new AbortController();
    const { signal } = life;
    const onReturn = (): void => { if (!document.hidden) onWake('return'); };
    window.addEventListener('online', () => onWake('online'), { signal });
    for (const type of ['pageshow', 'focus']) window.addEventListener(type, onReturn, { signal });
    document.addEventListener('visibilitychange', onReturn, { signal });
    window.addEventListener('storage', ({ key }) => { if (key?.startsWith('vestibule:') ?? true) onWake('storage'); }, { signal });
    return () => life.abort();
  },
  reportError: (error) => reportError(error),
};

/** The Web Lock of `alone`, if nobody holds it or waits for it. */
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
