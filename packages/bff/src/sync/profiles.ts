/** Accepted answers: the latest profile of each reader, durable before the reader is told `accepted`. The profile of an unproven
 *  user is the session's own. */

import type { Answers } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
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
  /** Hash of the form that was answered, over all languages. */
  readonly form_version: string;
}

export function createProfiles(
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
