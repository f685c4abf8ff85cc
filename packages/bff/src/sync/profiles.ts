/** Accepted answers: the latest profile of each reader, durable before the reader is told `accepted`. Kept for `profileDays`, or
 *  until they are deleted. The profile of an unproven user is the session's own. */

import type { Answers } from '@vestibule/shared';
import type { Config } from '../config/config.ts';
import { sha256 } from '../lib/identifiers.ts';
import type { SessionId } from '../session/session.ts';
import type { RecordId, Records } from '../store/records.ts';
import type { Lifetime } from '../store/store.ts';

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
}

export class Profiles {
  readonly records: Records<Profile>;
  readonly #isKept: boolean;
  readonly #lifetimeMs: Lifetime;
  /** Changes with every question. */
  readonly #formVersion: string;

  constructor(records: Records<Profile>, { profiles, profileDays, validation }: Pick<Config, 'profiles' | 'profileDays' | 'validation'>) {
    this.records = records;
    this.#isKept = profiles === 'keep';
    this.#lifetimeMs = profileDays === undefined ? undefined : profileDays * 86_400_000;
    this.#formVersion = sha256(JSON.stringify(validation.fields)).slice(0, 12);
  }

  /** @returns takes it back, unless a later sign-in saved another profile. A profile that was there before is not restored: the
   *  reader may have been deleted meanwhile. */
  async save(session: SessionId, accepted: Omit<Profile, 'form_version'>): Promise<() => Promise<void>> {
    if (!this.#isKept) return async () => undefined;
    const id = idOf(accepted.user_id, session);
    const profile = { ...accepted, form_version: this.#formVersion };
    await this.records.put(id, profile, this.#lifetimeMs);
    return async () => {
      const found = await this.records.find(id);
      if (found && JSON.stringify(found.record) === JSON.stringify(profile)) await this.records.delete(id, found);
    };
  }
}

/** The tag of a profile is that of its reader; a tag that no secret keys, because profiles outlive secrets. */
function idOf(userId: string, { id, isOwn }: SessionId): RecordId {
  return isOwn ? { tag: sha256(userId), id } : { id: userId };
}
