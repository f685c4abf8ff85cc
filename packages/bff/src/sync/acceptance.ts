/** Whether a reader is accepted, by the publisher's questions and `validate`, and what an accepted sign-in stores: `onAccepted`,
 *  the profile, and the session. `sync.ts` says when. */

import type { Answers, SyncOutcome, User } from '@vestibule/shared';
import * as z from 'zod';
import type { Config } from '../config/config.ts';
import type { RunHook } from '../hooks.ts';
import { localize, localizedText } from '../lib/localize.ts';
import type { Clock } from '../lib/time.ts';
import { ProblemError } from '../problem.ts';
import type { TokenGrant } from '../service/client.ts';
import type { NewSession, Sessions } from '../session/session.ts';
import type { Records } from '../store/records.ts';
import { validateAnswers } from './form.ts';
import { profileSaver, type Profile } from './profiles.ts';

/** What the reader sends, and the languages of the messages, best first. */
export interface GivenAnswers {
  readonly answers: Readonly<Record<string, unknown>>;
  readonly languages: readonly string[];
}

export interface Decision {
  readonly outcome: SyncOutcome['outcome'];
  readonly reason?: string;
  /** Of `accepted`. */
  readonly answers?: Answers;
}

export interface AcceptedSync extends Pick<TokenGrant, 'accessToken' | 'expiresIn'> {
  readonly forum: string;
  /** The session to create. */
  readonly session: NewSession;
}

export interface AcceptanceDeps {
  readonly config: Pick<Config, 'validation' | 'profiles' | 'profileDays'>;
  readonly profiles: Records<Profile>;
  readonly sessions: Sessions;
  readonly runHook: RunHook;
  readonly now: Clock;
}

export type Acceptance = ReturnType<typeof createAcceptance>;

export function createAcceptance({ config, profiles, sessions, runHook, now }: AcceptanceDeps) {
  const { fields, validate, onAccepted } = config.validation;
  const saveProfile = profileSaver(profiles, config);
  const endSession = (session: NewSession): Promise<void> => sessions.end(sessions.idOf(session));
  return { decide, accept, endSession };

  /** Writes nothing: before the exchange `user` is claimed.
   *  @throws {ProblemError} `invalid-answers`, `invalid-request`, those of the hook */
  async function decide(user: User, forum: string, given: GivenAnswers): Promise<Decision> {
    const { answers, rejection } = validateAnswers(fields, given.answers, given.languages);
    if (rejection) return { outcome: 'rejected', ...rejection };
    if (!validate) return { outcome: 'accepted', answers };
    const names = fields.map(({ name }) => name);
    const result = await runHook({
      name: 'validation.validate',
      hook: validate,
      context: { user, answers, forum },
      result: z.union([
        z.strictObject({ ok: z.literal(true) }),
        z.strictObject({
          ok: z.literal(false),
          retry: z.literal(true),
          fields: z.record(z.string().refine((name) => names.includes(name)), localizedText)
            .refine((corrections) => Object.keys(corrections).length > 0),
        }),
        z.strictObject({ ok: z.literal(false), retry: z.literal(false).optional(), reason: localizedText.optional() }),
      ]),
      expected: '{ ok: true }, { ok: false, retry: true, fields } with names of the form\'s fields, or { ok: false, reason }',
      detail: 'This site could not check your answers just now. Nothing is lost: please try again.',
    });
    if (result.ok) return { outcome: 'accepted', answers };
    if (result.retry) {
      const corrections = Object.entries(result.fields).map(([name, words]) => [name, localize(words, given.languages)]);
      throw new ProblemError('invalid-answers', { fields: Object.fromEntries(corrections) });
    }
    const reason = localize(result.reason ?? '', given.languages);
    return { outcome: 'rejected', ...(reason !== '' && { reason }) };
  }

  /** Completes `accepted`. Each step may run again: the session has the same id.
   *  @returns takes back what it stored, for a sign-in that was ended meanwhile @throws to be retried */
  async function accept({ forum, session, ...grant }: AcceptedSync, answers: Answers): Promise<() => Promise<void>> {
    const { user } = session;
    if (onAccepted) {
      await runHook({
        name: 'validation.onAccepted',
        hook: onAccepted,
        context: { user, answers, forum },
        // A refusal ends the sign-in: there is no session yet.
        reader: { token: { accessToken: grant.accessToken, isNew: true }, end: async () => undefined },
        result: z.unknown(),
        expected: 'anything',
        detail: 'This site could not complete the sign-in just now. Nothing is lost: please try again.',
      });
    }
    const profile = { ...user, forum, answers, accepted_at: new Date(now()).toISOString() };
    const [takeBack] = await Promise.all([saveProfile(sessions.idOf(session), profile), sessions.create(session, grant)]);
    return async () => { await Promise.all([endSession(session), takeBack()]); };
  }
}
