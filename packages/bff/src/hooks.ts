/** Runs a hook of the publisher, bounded in time, and checks what it returned. Every failure is `internal-error`: the log names
 *  the hook and the place in its file, the reader can retry. */

import type * as z from 'zod';
import { ProblemError, type Diagnosis } from './http/problem.ts';
import { withDeadline } from './lib/time.ts';
import { framesOf, ownCode } from './log.ts';
import type { SignedRequests } from './service/client.ts';

export interface HookCall<C, R> {
  /** As the configuration names it, such as `validation.validate`. */
  readonly name: string;
  readonly hook: (context: C & { readonly service: SignedRequests; readonly signal: AbortSignal }) => unknown;
  readonly context: C;
  readonly result: z.ZodType<R>;
  /** The allowed results, for the log, such as `{ ok: true }`. */
  readonly expected: string;
  /** For the reader. */
  readonly detail: string;
}

/** @throws {ProblemError} `internal-error`: the hook threw, timed out, or returned something else than `expected` */
export type RunHook = <C extends object, R>(call: HookCall<C, R>) => Promise<R>;

/** Configuration file by hook. A rejection without a frame of the hook names its file at least. */
export const hookFiles = new WeakMap<object, string>();

/** @param timeoutMs of each call */
export function hookRunner(service: SignedRequests, timeoutMs: number): RunHook {
  return async ({ name, hook, context, result, expected, detail }) => {
    const fail = (cause: HookError) => new ProblemError('internal-error', {
      detail,
      cause,
      diagnosis: {
        setting: 'VESTIBULE_CONFIG', ...cause.diagnosis, place: cause.place ?? hookFiles.get(hook) ?? 'no line of a hook is known',
      },
    });
    return withDeadline(timeoutMs, async (signal) => {
      let value: unknown;
      try {
        value = await hook({ ...context, service, signal });
      } catch (error) {
        throw fail(new HookError(`The hook ${name} threw.`, error));
      }
      const parsed = safeParse(result, value);
      if (!parsed) throw fail(new HookError(`The hook ${name} returned ${describe(value)}; expected ${expected}.`));
      return parsed.data;
    }, () => fail(new HookError(`The hook ${name} did not settle within ${timeoutMs} ms.`)));
  };
}

/** Getters and proxies of a hostile value may throw. */
function safeParse<R>(schema: z.ZodType<R>, value: unknown): { readonly data: R } | undefined {
  try {
    const parsed = schema.safeParse(value);
    return parsed.success ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The shape of a value, never its content: it may repeat a reader's answers. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object') return `a ${typeof value}`;
  try {
    const names = Object.keys(value).filter((name) => /^\w{1,32}$/.test(name)).slice(0, 8);
    return `an object with the members ${names.length === 0 ? 'none' : names.join(', ')}`;
  } catch {
    return 'an object';
  }
}

/** A failure of a hook. Its stack has the frames of the thrown error, not the message, which may repeat a reader's answers. The
 *  thrown error is its cause: the log has its type and code, and no foreign message (`log.ts`). */
class HookError extends Error {
  override readonly name = 'HookError';
  /** The publisher's file, line and column that threw, or called what threw. */
  readonly place: string | undefined;
  /** For the log. If the hook's call of the service failed, with the diagnosis of that call. */
  readonly diagnosis: Diagnosis;

  constructor(message: string, thrown?: unknown) {
    super(message, thrown === undefined ? undefined : { cause: thrown });
    this.diagnosis = thrown instanceof ProblemError
      ? { ...thrown.diagnosis, reason: `${message} Its call of the service: ${thrown.diagnosis['reason']}` }
      : { reason: message };
    const frames = thrown instanceof Error ? framesOf(thrown) : [];
    const own = frames.filter((frame) => !/node:|\/node_modules\//.test(frame) && !frame.includes(ownCode)).join('\n');
    this.place = /(?:file:\/\/)?\/[^\s()]+:\d+:\d+/.exec(own)?.[0];
    this.stack = [this.message, ...framesOf(this).slice(0, 1), ...frames].join('\n');
  }
}
