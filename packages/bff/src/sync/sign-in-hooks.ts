/** The publisher's hooks of a sign-in: `validate` before the exchange, with the claimed user; `onAccepted` after it, with the
 *  proven user. */

import * as z from 'zod';
import type { Answers, User } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import type { AcceptedUser, HookContext } from '../config/hooks.ts';
import { runHook } from '../config/run-hook.ts';
import { ProblemError } from '../http/problem-error.ts';
import { sha256 } from '../lib/identifiers.ts';

interface SignInContext<U extends User> {
  readonly user: U;
  readonly answers: Answers;
  readonly forum: string;
}

export class SignInHooks {
  readonly #config: Pick<Config, 'validation' | 'hookTimeoutMs'>;
  readonly #service: HookContext['service'];

  constructor(config: Pick<Config, 'validation' | 'hookTimeoutMs'>, service: HookContext['service']) {
    this.#config = config;
    this.#service = service;
  }

  /** @param partition of the client: the user is claimed
   *  @returns the rejection; `undefined` where the reader may go on
   *  @throws {ProblemError} `invalid-answers` where the hook asks for a correction, `internal-error` */
  async validate(context: SignInContext<User>, partition: string): Promise<{ readonly outcome: 'rejected'; readonly reason: string } | undefined> {
    const { validation: { validate, fields }, hookTimeoutMs } = this.#config;
    if (!validate) return undefined;
    const result = await runHook({
      name: 'validation.validate',
      hook: validate,
      context,
      service: this.#service,
      partition,
      result: validationResult(fields.map(({ name }) => name)),
      expected: '{ ok: true }, { ok: false, retry: true, fields } with names of the form\'s fields, or { ok: false, reason }',
      timeoutMs: hookTimeoutMs,
      detail: 'This site could not check your answers just now. Nothing is lost: please try again.',
    });
    if (result.ok) return undefined;
    if (result.retry) throw new ProblemError('invalid-answers', { fields: result.fields });
    return { outcome: 'rejected', reason: result.reason ?? '' };
  }

  /** @throws {ProblemError} `internal-error` */
  async onAccepted(context: SignInContext<AcceptedUser>): Promise<void> {
    const { validation: { onAccepted }, hookTimeoutMs } = this.#config;
    if (!onAccepted) return;
    await runHook({
      name: 'validation.onAccepted',
      hook: onAccepted,
      context,
      service: this.#service,
      partition: sha256('user', context.user.user_id),
      result: z.unknown(),
      expected: 'anything',
      timeoutMs: hookTimeoutMs,
      detail: 'This site could not complete the sign-in just now. Nothing is lost: please try again.',
    });
  }
}

/** Schema of the result of `validate`. @param names of the form's fields */
function validationResult(names: readonly string[]) {
  return z.union([
    z.strictObject({ ok: z.literal(true) }),
    z.strictObject({
      ok: z.literal(false),
      retry: z.literal(true),
      fields: z.record(z.string().refine((name) => names.includes(name)), z.string())
        .refine((fields) => Object.keys(fields).length > 0),
    }),
    z.strictObject({ ok: z.literal(false), retry: z.literal(false).optional(), reason: z.string().max(1_000).optional() }),
  ]);
}
