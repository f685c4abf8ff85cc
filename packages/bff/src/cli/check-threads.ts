/** Which thread is in force, and whether it works. Has no effect that stays. */

import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { sqlitePathOf } from '../config/thread-rules.ts';
import type { ProblemError } from '../problem.ts';
import { createServiceClient } from '../service/client.ts';
import { openCommentFile } from '../threads/comment-file.ts';
import { createModeration } from '../threads/moderation.ts';
import { isMissing, threadDetails } from '../threads/service.ts';
import { fail, newFileFinding, ok, ownerFindings, warn, type Finding } from './finding.ts';

export async function checkThreads(config: Config): Promise<readonly Finding[]> {
  const { threads, posts, siteKey } = config;
  const path = sqlitePathOf(threads);
  if (threads === 'service') return [await checkServiceThreads(config)];
  if (path !== undefined) return checkFile(path, siteKey);
  return [posts.list ? ok('threads', 'the hook list') : ok('threads', 'none, so show-posts has nothing to show: set VESTIBULE_THREADS, or write the hook list')];
}

async function checkFile(path: string, siteKey: string): Promise<readonly Finding[]> {
  if (path === ':memory:') return [warn('threads', 'comments in memory are lost when the process ends: use sqlite:PATH')];
  if (!existsSync(path)) return [newFileFinding(path, 'threads', 'VESTIBULE_THREADS')];
  try {
    using comments = await openCommentFile(path, siteKey);
    const { published, held } = await createModeration(comments).tryOut();
    return [
      ...ownerFindings(path, 'threads'),
      ok('threads', `sqlite at ${path} reads and writes; comments: ${published}, waiting for approval: ${held}`),
    ];
  } catch (error) {
    return [fail('threads', `VESTIBULE_THREADS: ${(error as Error).message}`)];
  }
}

/** Asks for the thread of the public URL, which the service need not have. */
async function checkServiceThreads(config: Config): Promise<Finding> {
  await using service = createServiceClient(config);
  const failure = await threadDetails(service, config.forums[0] ?? '', config.publicUrl).then(() => undefined, (error: unknown) => error as ProblemError);
  if (!failure || isMissing(failure)) return ok('threads', 'the service has threads');
  if (failure.diagnosis['service_status'] === undefined) return warn('threads', 'not proved: the service did not respond');
  return fail('threads', `VESTIBULE_THREADS=service: the service refuses threads/details.json (${failure.detail}): ask who runs it, or use sqlite:PATH`);
}
