/** Runs a hook of the publisher, bounded in time, and checks what it returned. The log line of a failure names the hook. */

import type { Logger } from 'pino';
import type * as z from 'zod';
import { plainText } from './lib/text.ts';
import { withDeadline } from './lib/time.ts';
import { ProblemError, type Diagnosis } from './problem.ts';
import type { ServiceClient } from './service/client.ts';
import type { CallToken } from './service/response.ts';
import type { SignedRequests } from './service/signed-requests.ts';

export interface HookReader {
  readonly token: CallToken;
  /** The service no longer accepts the token. */
  readonly end: () => Promise<void>;
}

export interface HookCall<C, R> {
  /** As the configuration names it, such as `validation.validate`. */
  readonly name: string;
  readonly hook: (context: C & { readonly service: SignedRequests; readonly signal: AbortSignal }) => unknown;
  readonly context: C;
  /** The reader for whom the hook runs, for calls `asReader`. */
  readonly reader?: HookReader | undefined;
  readonly result: z.ZodType<R>;
  /** The allowed results, for the log, such as `{ ok: true }`. */
  readonly expected: string;
  readonly detail: string;
}

/** @throws {ProblemError} the one that the hook let through; `internal-error`: it threw another error, timed out, or returned
 *  something else than `expected` */
export type RunHook = <C extends object, R>(call: HookCall<C, R>) => Promise<R>;

const MAX_NAMED_MEMBERS = 5;

export function hookRunner(service: Pick<ServiceClient, 'request' | 'requestAs'>, timeoutMs: number, log: Pick<Logger, 'debug'>): RunHook {
  return async ({ name, hook, context, reader, result, expected, detail }) => {
    let refusal: unknown;
    const failure = (what: string, more: Diagnosis = {}, cause?: unknown) => (
      new ProblemError('internal-error', {
        detail, cause, diagnosis: { reason: `The hook ${name} ${what}.`, setting: 'VESTIBULE_CONFIG', ...more },
      })
    );
    const requestsUntil = (signal: AbortSignal): SignedRequests => ({
      request: async (method, path, params, { asReader, ...options } = {}) => {
        if (!asReader) return service.request(method, path, params, options, signal);
        if (!reader) throw new TypeError(`asReader: the hook ${name} does not run for a signed-in reader.`);
        return service.requestAs(reader.token, method, path, params, options, signal).catch(async (error: unknown) => {
          if (error instanceof ProblemError && error.type === 'not-signed-in') {
            refusal = error;
            await reader.end();
          }
          throw error;
        });
      },
    });
    const late = () => failure(`did not settle within ${timeoutMs} ms`);
    return withDeadline(timeoutMs, async (signal) => {
      try {
        const parsed = result.safeParse(await hook({ ...context, service: requestsUntil(signal), signal }));
        if (parsed.success) return parsed.data;
        const members = [...new Set(membersOf(parsed.error.issues))].slice(0, MAX_NAMED_MEMBERS);
        throw failure(`returned something else than ${expected}`, { member: plainText(members.join(', ')) });
      } catch (error) {
        // An access token of the hook's own is not the reader's.
        if (error instanceof ProblemError && (error.type !== 'not-signed-in' || error === refusal)) throw named(error, name);
        if (signal.aborted) throw late();
        // Its message may repeat what a reader wrote.
        const message = plainText(error instanceof Error ? error.message : typeof error);
        log.debug({ hook: name, err: error, error_message: message }, 'a hook threw');
        throw failure('threw', {}, error);
      }
    }, late);
  };
}

/** The same problem, whose log line names the hook. */
function named({ type, detail, diagnosis, options }: ProblemError, hook: string): ProblemError {
  return new ProblemError(type, { ...options, detail, diagnosis: { ...diagnosis, hook } });
}

/** Paths of the members at fault, such as `params.thread`. Of the shapes of a union, the one with the fewest faults was meant. */
function membersOf(issues: readonly z.core.$ZodIssue[], base: readonly PropertyKey[] = []): string[] {
  return issues.flatMap((issue): string[] => {
    const path = [...base, ...issue.path];
    if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      return issue.errors.map((branch) => membersOf(branch, path)).reduce((best, one) => (one.length < best.length ? one : best));
    }
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path];
    return keys.map((key) => key.map(String).join('.') || 'the result itself');
  });
}
