/** The thread that `VESTIBULE_THREADS` names: its hooks take the place of hooks of the publisher. */

import type { Config } from '../config/config.ts';
import { commentFileOf } from '../config/thread-rules.ts';
import type { PostSettings } from '../config/types.ts';
import { openCommentFile, type CommentFile } from './comment-file.ts';
import { createServiceThreads } from './service.ts';
import { createSqliteThreads, type SqliteThreadDeps } from './sqlite.ts';

/** Opens the file of comments of each site; `undefined` where a site has none. @throws {Error} for the operator */
export async function openCommentFiles(configs: readonly Config[]): Promise<readonly (CommentFile | undefined)[]> {
  using opened = new DisposableStack();
  const files: (CommentFile | undefined)[] = [];
  for (const config of configs) {
    const path = commentFileOf(config);
    files.push(path === undefined ? undefined : opened.use(await openCommentFile(path, config.siteKey)));
  }
  opened.move();
  return files;
}

/** The hooks of posts in force. */
export function postSettings({ threads, posts }: Config, file: CommentFile | undefined, deps: Omit<SqliteThreadDeps, 'own'>): PostSettings {
  if (file) return createSqliteThreads(file, { own: posts, ...deps });
  return threads === 'service' ? createServiceThreads(posts) : posts;
}
