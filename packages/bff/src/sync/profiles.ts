/** Accepted answers: the latest profile of each reader, durable before the reader is told `accepted`. The profile of an unproven
 *  user is the session's own. */

import type { Answers } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import type { Field } from '../config/fields.ts';
import { sha256 } from '../lib/identifiers.ts';
import type { SessionId } from '../session/session.ts';
import type { Records } from '../store/records.ts';

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
  /** Tells which version of the questions was answered. */
  readonly form_version: string;
  /** The same for each question, by its name; `help` does not count. */
  readonly questions: Readonly<Record<string, string>>;
}

/** What an account has answered before: the questions that are still the same, and the answers. An optional question may have
 *  none. */
export interface KeptAnswers {
  readonly names: ReadonlySet<string>;
  readonly answers: Answers;
}

export function createProfiles(
  records: Records<Profile>,
  { profiles, profileDays, validation: { fields } }: Pick<Config, 'profiles' | 'profileDays' | 'validation'>,
) {
  const lifetimeMs = profileDays === undefined ? undefined : profileDays * 86_400_000;
  const form_version = versionOf(fields);
  const questions = Object.fromEntries(fields.map(({ help: _, ...question }: Field) => [question.name, versionOf(question)]));
  return { save, keptOf };

  /** @returns takes it back, unless a later sign-in saved another profile */
  async function save(session: SessionId, accepted: Omit<Profile, 'form_version' | 'questions'>): Promise<() => Promise<void>> {
    if (profiles === 'discard') return async () => undefined;
    const recordId = session.isUnproven ? session : { id: accepted.user_id };
    const profile: Profile = { ...accepted, form_version, questions };
    await records.put(recordId, profile, lifetimeMs);
    return async () => {
      const found = await records.find(recordId);
      if (found && JSON.stringify(found.record) === JSON.stringify(profile)) await records.delete(recordId, found);
    };
  }

  /** Of a proven user. @throws {StoreUnavailableError} */
  async function keptOf(userId: string): Promise<KeptAnswers> {
    const profile = (await records.find({ id: userId }))?.record;
    const answered = profile?.questions ?? {};
    const names = new Set(fields.map(({ name }) => name).filter((name) => answered[name] === questions[name]));
    return { names, answers: Object.fromEntries(Object.entries(profile?.answers ?? {}).filter(([name]) => names.has(name))) };
  }
}

function versionOf(value: object): string {
  return sha256(JSON.stringify(value)).slice(0, 12);
}
