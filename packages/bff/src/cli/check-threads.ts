/** Which thread is in force, and whether it works. Has no effect that stays. */

import type { Config } from '../config/config.ts';
import type { ProblemError } from '../problem.ts';
import { createServiceClient } from '../service/client.ts';
import { isMissing, threadDetails } from '../threads/service.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

export async function checkThreads(config: Config): Promise<readonly Finding[]> {
  if (config.threads === 'service') return [await checkServiceThreads(config)];
  return [ok('threads', config.posts.list ? 'the hook list' : 'none, so show-posts has nothing to show: set VESTIBULE_THREADS, or write the hook list')];
}

/** Asks for the thread of the public URL, which the service need not have. */
async function checkServiceThreads(config: Config): Promise<Finding> {
  await using service = createServiceClient(config);
  const failure = await threadDetails(service, config.forums[0] ?? '', config.publicUrl).then(() => undefined, (error: unknown) => error as ProblemError);
  if (!failure || isMissing(failure)) return ok('threads', 'the service has threads');
  if (failure.diagnosis['service_status'] === undefined) return warn('threads', 'not proved: the service did not respond');
  return fail('threads', `VESTIBULE_THREADS=service: the service refuses threads/details.json (${failure.detail}): ask who runs it, or write the hook list`);
}
