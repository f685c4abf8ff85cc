/** Whether a reader is accepted, by the publisher's questions and `validate`, and what an accepted sign-in stores: `onAccepted`,
 *  the profile, and the session. `sync.ts` says when. */

import type { Answers, SyncOutcome, User } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { localize } from '../lib/localize.ts';
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
  readonly hooks: Hooks;
  readonly now: Clock;
}

export type Acceptance = ReturnType<typeof createAcceptance>;

export function createAcceptance({ config, profiles, sessions, hooks, now }: AcceptanceDeps) {
  const { fields } = config.validation;
  const saveProfile = profileSaver(profiles, config);
  const endSession = sessions.endCreated;
  return { decide, accept, endSession };

  /** Writes nothing: before the exchange `user` is claimed.
   *  @throws {ProblemError} `invalid-answers`, `invalid-request`, those of the hook */
  async function decide(user: User, forum: string, given: GivenAnswers): Promise<Decision> {
    const { answers, rejection } = validateAnswers(fields, given.answers, given.languages);
    if (rejection) return { outcome: 'rejected', ...rejection };
    if (!hooks.has('validation.validate')) return { outcome: 'accepted', answers };
    const result = await hooks.run('validation.validate', { user, answers, forum });
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
    if (hooks.has('validation.onAccepted')) {
      // A refusal ends the sign-in: there is no session yet.
      const reader = { token: { accessToken: grant.accessToken, isNew: true }, end: async () => undefined };
      await hooks.run('validation.onAccepted', { user, answers, forum }, reader);
    }
    const profile = { ...user, forum, answers, accepted_at: new Date(now()).toISOString() };
    const [takeBack] = await Promise.all([saveProfile(sessions.idOf(session), profile), sessions.create(session, grant)]);
    return async () => { await Promise.all([endSession(session), takeBack()]); };
  }
}
