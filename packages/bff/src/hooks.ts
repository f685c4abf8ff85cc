/** Runs a hook of the publisher, bounded in time, and checks what it returned. The log line of a failure names the hook. */

import type * as z from 'zod';
import type { SignedRequests } from './service/signed-requests.ts';
import { ProblemError } from './problem.ts';
import { withDeadline } from './lib/time.ts';

export interface HookCall<C, R> {
  /** As the configuration names it, such as `validation.validate`. */
  readonly name: string;
  readonly hook: (context: C & { readonly service: SignedRequests; readonly signal: AbortSignal }) => unknown;
  readonly context: C;
  readonly result: z.ZodType<R>;
  /** The allowed results, for the log, such as `{ ok: true }`. */
  readonly expected: string;
  readonly detail: string;
}

/** @throws {ProblemError} `internal-error`: the hook threw, timed out, or returned something else than `expected` */
export type RunHook = <C extends object, R>(call: HookCall<C, R>) => Promise<R>;

export function hookRunner(service: SignedRequests, timeoutMs: number): RunHook {
  return async ({ name, hook, context, result, expected, detail }) => {
    const failure = (what: string, cause?: unknown) => {
      // A failed call of the service has a setting of its own.
      const { diagnosis } = cause instanceof ProblemError ? cause : { diagnosis: { setting: 'VESTIBULE_CONFIG' } };
      return new ProblemError('internal-error', { detail, cause, diagnosis: { ...diagnosis, reason: `The hook ${name} ${what}.` } });
    };
    return withDeadline(timeoutMs, async (signal) => {
      try {
        const parsed = result.safeParse(await hook({ ...context, service, signal }));
        if (parsed.success) return parsed.data;
      } catch (error) {
        throw failure('threw', error);
      }
      throw failure(`returned something else than ${expected}`);
    }, () => failure(`did not settle within ${timeoutMs} ms`));
  };
}
