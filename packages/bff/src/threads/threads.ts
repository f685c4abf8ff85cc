/** The thread that `VESTIBULE_THREADS` names: its hooks take the place of hooks of the publisher. */

import type { Config } from '../config/config.ts';
import type { PostSettings } from '../config/types.ts';
import type { CommentFile } from './comment-file.ts';
import { createServiceThreads } from './service.ts';
import { createSqliteThreads, type SqliteThreadDeps } from './sqlite.ts';

/** The hooks of posts in force. */
export function postSettings({ threads, posts }: Config, file: CommentFile | undefined, deps: Omit<SqliteThreadDeps, 'own'>): PostSettings {
  if (file) return createSqliteThreads(file, { own: posts, ...deps });
  return threads === 'service' ? createServiceThreads(posts) : posts;
}
