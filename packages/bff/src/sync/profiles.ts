/** Accepted answers, kept as the reader's profile until somebody deletes them. */

import type { Answers } from '@vestibule/shared';
import { sha256 } from '../lib/sha256.ts';
import type { Field } from '../config/fields.ts';
import type { EncryptedCollection } from '../store/encrypted-collection.ts';

export interface Profile {
  readonly user_id: string;
  readonly username: string;
  readonly forum: string;
  readonly answers: Answers;
  /** ISO 8601. */
  readonly accepted_at: string;
  /** Tells which version of the questions was answered. */
  readonly form_version: string;
}

/** Changes whenever a question does. */
export function formVersion(fields: readonly Field[]): string {
  return sha256(JSON.stringify(fields)).slice(0, 12);
}

/** The latest profile of each reader, durable before the reader is told `accepted`. */
export class Profiles {
  readonly #records: EncryptedCollection<Profile>;

  constructor(records: EncryptedCollection<Profile>) {
    this.#records = records;
  }

  save(profile: Profile): Promise<void> {
    return this.#records.put(profile.user_id, profile, undefined);
  }

  all(): AsyncIterable<Profile> {
    return this.#records.all();
  }

  /** For privacy requests. Whether there was one. */
  delete(userId: string): Promise<boolean> {
    return this.#records.delete(userId);
  }
}
