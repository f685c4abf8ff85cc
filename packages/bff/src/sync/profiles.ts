/** Accepted answers, kept as the reader's profile for `profileDays`, or until they are deleted. */

import type { Answers } from '@vestibule/shared';
import { sha256 } from '../lib/identifiers.ts';
import type { Field } from '../config/fields.ts';
import type { EncryptedCollection } from '../store/encrypted-collection.ts';
import { withStoreRetries, type Lifetime } from '../store/store.ts';

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

/** Version of the questions: changes with every question. */
export function formVersion(fields: readonly Field[]): string {
  return sha256(JSON.stringify(fields)).slice(0, 12);
}

/** The latest profile of each reader by `readerKey`, durable before the reader is told `accepted`. */
export class ProfileCollection {
  readonly #records: EncryptedCollection<Profile>;
  readonly #lifetimeMs: Lifetime;

  /** @param days after which a profile is deleted; `undefined`: never */
  constructor(records: EncryptedCollection<Profile>, days: number | undefined) {
    this.#records = records;
    this.#lifetimeMs = days === undefined ? undefined : days * 86_400_000;
  }

  save(key: string, profile: Profile): Promise<void> {
    return this.#records.put(key, profile, this.#lifetimeMs);
  }

  /** Takes `save` back, unless a later sign-in saved another profile. A profile that was there before is not restored: the
   *  reader may have been deleted meanwhile. */
  async takeBack(key: string, profile: Profile): Promise<void> {
    await withStoreRetries(async () => {
      const found = await this.#records.find(key);
      if (JSON.stringify(found?.record) === JSON.stringify(profile)) await this.#records.delete(key, found);
    });
  }

  all(): AsyncIterable<Profile> {
    return this.#records.all();
  }
}
