/** `vestibule profiles`: accepted answers as NDJSON by the date of their acceptance, and the deletion of one reader's. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, type Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import { createLog } from '../log.ts';
import { UndecryptableRecordsError } from '../store/encrypted-collection.ts';
import type { Profile } from '../sync/profiles.ts';
import type { Profiles } from '../vestibule.ts';
import { CommandError } from './command-error.ts';
import { exitStatus } from './exit-status.ts';
import { openVestibule } from './open-vestibule.ts';
import { print } from './print.ts';

export interface ProfilesOptions {
  /** A date, or a date and a time with its offset. */
  readonly since?: string;
  readonly user?: string;
}

/** @throws {CommandError | ConfigError} */
export async function printProfiles({ since, user }: ProfilesOptions): Promise<number> {
  const after = since === undefined ? -Infinity : parseInstant(since);
  return withProfiles(async (profiles) => {
    const chosen: Profile[] = [];
    let undecryptable = 0;
    try {
      for await (const profile of profiles.all()) {
        if (Date.parse(profile.accepted_at) >= after && (user === undefined || profile.user_id === user)) chosen.push(profile);
      }
    } catch (error) {
      if (!(error instanceof UndecryptableRecordsError)) throw error;
      undecryptable = error.count;
    }
    chosen.sort((a, b) => Date.parse(a.accepted_at) - Date.parse(b.accepted_at));
    for (const profile of chosen) print(JSON.stringify(profile));
    if (undecryptable === 0) return exitStatus.ok;
    throw new CommandError(`profiles that cannot be decrypted and are missing above: ${undecryptable}; `
      + 'add the secret that encrypted them at the end of VESTIBULE_COOKIE_SECRETS', exitStatus.failure);
  });
}

/** @throws {CommandError | ConfigError} */
export async function deleteProfile(userId: string): Promise<number> {
  return withProfiles(async (profiles, place) => {
    if (!await profiles.delete(userId)) throw new CommandError(`there are no answers of this reader in ${place}`, exitStatus.failure);
    print(`The answers of this reader are deleted from ${place}.`);
    return exitStatus.ok;
  });
}

/** @param use also told where the answers are */
async function withProfiles(use: (profiles: Profiles, place: string) => Promise<number>): Promise<number> {
  const config = await loadConfig();
  const place = placeOf(config);
  await using vestibule = await openVestibule(config, createLog('silent'));
  return await use(vestibule.profiles, place);
}

/** Whoever asks with another environment than the BFF has must not take an empty store for the answer.
 *  @throws {ConfigError} where there is nothing to ask */
function placeOf({ store }: Config): string {
  if (store.startsWith('memory:')) throw new ConfigError(['VESTIBULE_STORE: answers in memory belong to the process that serves, and end with it']);
  if (!store.startsWith('sqlite:')) return 'Redis';
  const path = resolve(store.slice('sqlite:'.length));
  if (!existsSync(path)) throw new ConfigError([`VESTIBULE_STORE: there is no store at ${path}; it must be what the BFF runs with`]);
  return path;
}

/** A day begins at its midnight in UTC. */
function parseInstant(text: string): number {
  const isInstant = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const instant = isInstant ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) {
    throw new CommandError('--since must be a date such as 2026-03-01 or a time such as 2026-03-01T12:00:00Z', exitStatus.usage);
  }
  return instant;
}
