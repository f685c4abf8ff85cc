/** Which questions a reader is asked, whether the reader is accepted, by these questions and `validate`, and what an accepted
 *  sign-in stores: `onAccepted`, the profile, and the session. `finish.ts` says when. */

import type { Answers, Form, SyncOutcome } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import type { AcceptedUser } from '../config/types.ts';
import type { Hooks } from '../hooks/hooks.ts';
import { sha256 } from '../lib/identifiers.ts';
import { localize } from '../lib/text.ts';
import type { Clock } from '../lib/time.ts';
import { ProblemError } from '../problem.ts';
import type { TokenGrant } from '../service/client.ts';
import type { NewSession, SessionId, Sessions } from '../session/session.ts';
import type { Records } from '../store/records.ts';
import { localizeForm, validateAnswers } from './form.ts';

/** Accepted answers of one reader. */
export interface Profile {
  readonly user_id: string;
  readonly username: string;
  /** `false`: the token exchange returned no user; the browser claimed this one. */
  readonly proven?: false;
  readonly forum: string;
  readonly answers: Answers;
  /** ISO 8601. */
  readonly accepted_at: string;
  /** Hash of the form that was answered, over all languages. */
  readonly form_version: string;
}

/** Where a reader signs in. */
export interface Browser {
  /** BCP 47 tags, best first. */
  readonly languages: readonly string[];
  /** Whether it is the one that last finished a proven sign-in of this account. */
  readonly isKnown: (userId: string) => boolean;
}

/** What the reader sends; nothing where no question was shown. */
export interface GivenAnswers extends Browser {
  readonly answers: Readonly<Record<string, unknown>>;
}

export interface Decision {
  readonly outcome: SyncOutcome['outcome'];
  readonly reason?: string;
  /** Of `accepted`. */
  readonly answers?: Answers;
  /** It rests on answers of an earlier sign-in, which only the proven user may use. */
  readonly isRepeated?: boolean;
}

export interface AcceptedSync extends Pick<TokenGrant, 'accessToken' | 'expiresIn'> {
  readonly forum: string;
  /** The session to create. */
  readonly session: NewSession;
}

export interface AcceptanceDeps {
  readonly config: Pick<Config, 'validation' | 'profiles' | 'profileDays' | 'site'>;
  readonly profiles: Records<Profile>;
  readonly sessions: Sessions;
  readonly hooks: Hooks;
  readonly now: Clock;
}

export type Acceptance = ReturnType<typeof createAcceptance>;

export function createAcceptance({ config, profiles: records, sessions, hooks, now }: AcceptanceDeps) {
  const { validation: { fields, ask }, site: { name: site } } = config;
  const profiles = createProfiles(records, config);
  /** Whether answers are used again. */
  const asksOnce = ask === 'once' && config.profiles === 'keep' && fields.length > 0;
  return { formFor, decide, accept };

  /** The questions to ask. @throws {StoreUnavailableError} */
  async function formFor(user: AcceptedUser, browser: Browser): Promise<Form> {
    return await keptFor(user, browser) ? formOf([], browser) : formOf(fields, browser);
  }

  /** Writes nothing: before the exchange `user` is claimed.
   *  @throws {ProblemError} `invalid-answers`, `invalid-request`, those of the hook */
  async function decide(user: AcceptedUser, forum: string, given: GivenAnswers): Promise<Decision> {
    const isOpen = Object.keys(given.answers).length === 0;
    const kept = isOpen ? await keptFor(user, given) : undefined;
    const isRepeated = kept !== undefined;
    const { answers, rejection, errors } = validateAnswers(fields, kept ?? given.answers, given.languages);
    const refuse = (corrections: Readonly<Record<string, string>>): never => {
      throw new ProblemError('invalid-answers', { fields: corrections, ...(isOpen && { form: formOf(fields, given) }) });
    };
    if (rejection) return { outcome: 'rejected', isRepeated, ...rejection };
    if (errors) return refuse(errors);
    if (!hooks.has('validation.validate')) return { outcome: 'accepted', isRepeated, answers };
    const result = await hooks.run('validation.validate', { user, answers, isRepeated, forum });
    if (result.ok) return { outcome: 'accepted', isRepeated, answers };
    if (result.retry) {
      const corrections = Object.entries(result.fields).map(([name, words]) => [name, localize(words, given.languages)]);
      return refuse(Object.fromEntries(corrections));
    }
    // The reader could never give other answers in this browser.
    if (isRepeated) return refuse({});
    const reason = localize(result.reason ?? '', given.languages);
    return { outcome: 'rejected', isRepeated, ...(reason !== '' && { reason }) };
  }

  /** Completes `accepted`. Each step may run again: the session has the same id.
   *  @returns takes back what it stored, for a sign-in that was ended meanwhile @throws to be retried */
  async function accept(
    { forum, session, ...grant }: AcceptedSync, { answers = {}, isRepeated = false }: Decision,
  ): Promise<() => Promise<void>> {
    const { user } = session;
    if (hooks.has('validation.onAccepted')) {
      // A refusal ends the sign-in: there is no session yet.
      const reader = { token: { accessToken: grant.accessToken, isNew: true }, end: async () => undefined };
      await hooks.run('validation.onAccepted', { user, answers, isRepeated, forum }, reader);
    }
    const profile = { ...user, forum, answers, accepted_at: new Date(now()).toISOString() };
    const [takeBack] = await Promise.all([profiles.save(sessions.idOf(session), profile), sessions.create(session, grant)]);
    return async () => { await Promise.all([sessions.endCreated(session), takeBack()]); };
  }

  /** Nothing is looked up for a browser that the account has not signed in with: neither form nor time tells whether there is a
   *  profile. */
  async function keptFor({ user_id, proven }: AcceptedUser, { isKnown }: Browser): Promise<Answers | undefined> {
    return asksOnce && proven !== false && isKnown(user_id) ? profiles.keptOf(user_id) : undefined;
  }

  function formOf(asked: typeof fields, { languages }: Browser): Form {
    return { ...localizeForm(asked, languages), ...(site && { site }) };
  }
}

/** The latest profile of each reader, durable before the reader is told `accepted`. The profile of an unproven user is the
 *  session's own. */
function createProfiles(
  records: Records<Profile>,
  { profiles, profileDays, validation: { fields } }: Pick<Config, 'profiles' | 'profileDays' | 'validation'>,
) {
  const lifetimeMs = profileDays === undefined ? undefined : profileDays * 86_400_000;
  const form_version = sha256(JSON.stringify(fields)).slice(0, 12);
  return { save, keptOf };

  /** @returns takes it back, unless a later sign-in saved another profile */
  async function save(session: SessionId, accepted: Omit<Profile, 'form_version'>): Promise<() => Promise<void>> {
    if (profiles === 'discard') return async () => undefined;
    const recordId = session.isUnproven ? session : { id: accepted.user_id };
    const profile: Profile = { ...accepted, form_version };
    await records.put(recordId, profile, lifetimeMs);
    return async () => {
      const found = await records.find(recordId);
      if (found && JSON.stringify(found.record) === JSON.stringify(profile)) await records.delete(recordId, found);
    };
  }

  /** What a proven user has answered to the form of now; `undefined`: it has changed, or was not answered.
   *  @throws {StoreUnavailableError} */
  async function keptOf(userId: string): Promise<Answers | undefined> {
    const profile = (await records.find({ id: userId }))?.record;
    return profile?.form_version === form_version ? profile.answers : undefined;
  }
}
