/** A hook of the publisher's, bounded in time. What it throws is a fault of the publisher's side: the reader is told that
 *  something went wrong, may try again, and the code is still unspent. */

import type { HookContext } from '../config/hooks.ts';
import { ProblemError } from '../http/problem-error.ts';
import { withDeadline } from '../lib/with-deadline.ts';
import { framesOf } from '../log-error.ts';

/** @throws {ProblemError} `internal-error` where the hook throws or does not settle in time */
export async function runHook<Context extends HookContext, T>(
  name: string,
  hook: (context: Context) => T | Promise<T>,
  context: Omit<Context, 'signal'>,
  timeoutMs: number,
): Promise<T> {
  try {
    return await withDeadline(
      timeoutMs,
      (signal) => hook({ ...context, signal } as unknown as Context),
      () => new HookTimeoutError(name, timeoutMs),
    );
  } catch (error) {
    throw new ProblemError('internal-error', {
      detail: 'This site could not check your answers just now. Nothing is lost: please try again.',
      cause: error instanceof HookTimeoutError ? error : new HookFailure(name, error),
    });
  }
}

/** What a hook threw, without its words: they may repeat a reader's answers, and the cause of a problem is logged. */
class HookFailure extends Error {
  override readonly name = 'HookFailure';

  constructor(hook: string, thrown: unknown) {
    super(`The hook ${hook} threw.`);
    const frames = thrown instanceof Error ? framesOf(thrown) : [];
    this.stack = [this.message, ...framesOf(this).slice(0, 1), ...frames].join('\n');
  }
}

class HookTimeoutError extends Error {
  override readonly name = 'HookTimeoutError';

  constructor(hook: string, timeoutMs: number) {
    super(`The hook ${hook} did not settle within ${timeoutMs} ms.`);
  }
}
