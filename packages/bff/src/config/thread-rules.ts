/** Which hooks of posts need which others. */

import type * as z from 'zod';
import { isObject } from '../lib/schemas.ts';
import type { PostSettings } from './types.ts';

interface Settings {
  readonly threads?: string | undefined;
  readonly posts?: PostSettings | undefined;
}

/** Hooks that do nothing without another one, whatever else is wrong with the others. */
export function checkThreads({ threads, posts }: Settings, context: z.core.$RefinementCtx): void {
  if (threads !== undefined) return;
  const report = (path: string[], message: string): void => { context.addIssue({ code: 'custom', path, message }); };
  const hooks: PostSettings = isObject(posts) ? posts : {};
  if (hooks.replies === true && hooks.prepare === undefined) {
    report(['posts', 'replies'], 'needs the hook prepare, which passes `parent` on to the service: without it a reply becomes a comment');
  }
  for (const name of ['edit', 'remove', 'like', 'orders', 'conversation'] as const) {
    if (hooks[name] !== undefined && hooks.list === undefined) report(['posts', name], 'needs the hook list: readers find it in the list alone');
  }
}
