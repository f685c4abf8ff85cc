/** Which hooks of posts may stand beside which thread. */

import { resolve } from 'node:path';
import type * as z from 'zod';
import { isObject } from '../lib/json.ts';
import type { PostSettings } from './types.ts';

const FILE = 'sqlite:';

/** The file of `sqlite:PATH`, as `VESTIBULE_STORE` and `VESTIBULE_THREADS` name it; `undefined` for another store or thread.
 *  `:memory:` ends with the process. */
export function sqlitePathOf(address: string | undefined): string | undefined {
  if (!address?.startsWith(FILE)) return undefined;
  const path = address.slice(FILE.length);
  return path === ':memory:' ? path : resolve(path);
}

interface Settings {
  readonly threads?: string | undefined;
  readonly store?: string | undefined;
  readonly posts?: PostSettings | undefined;
}

/** Settings that exclude one another, whatever else is wrong with the others. */
export function checkThreads({ threads, store, posts }: Settings, context: z.core.$RefinementCtx): void {
  const report = (path: string[], message: string): void => { context.addIssue({ code: 'custom', path, message }); };
  const hooks: PostSettings = isObject(posts) ? posts : {};
  if (typeof threads !== 'string') {
    if (hooks.replies === true && hooks.prepare === undefined) {
      report(['posts', 'replies'], 'needs the hook prepare, which passes `parent` on to the service: without it a reply becomes a comment');
    }
    for (const name of ['edit', 'remove', 'like', 'orders', 'conversation'] as const) {
      if (hooks[name] !== undefined && hooks.list === undefined) report(['posts', name], 'needs the hook list: readers find it in the list alone');
    }
    return;
  }
  if (!threads.startsWith(FILE)) return;
  for (const name of ['list', 'orders', 'conversation', 'count', 'edit', 'remove', 'like'] as const) {
    if (hooks[name] !== undefined) report(['posts', name], 'VESTIBULE_THREADS=sqlite:… has its own; remove one of the two');
  }
  if (typeof store !== 'string') return;
  if (/^rediss?[+:]/.test(store)) report(['threads'], 'sqlite: is a file of one machine, and the store is a Redis: use service, or hooks of your own');
  else if (sqlitePathOf(threads) === sqlitePathOf(store) && store !== 'sqlite::memory:') report(['threads'], 'must be another file than that of VESTIBULE_STORE');
}
