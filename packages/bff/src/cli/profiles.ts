/** `vestibule profiles`: accepted answers as NDJSON by the date of their acceptance, and the deletion of one reader's. */

import { loadConfig } from '../config/load-config.ts';
import { createLog } from '../log.ts';
import type { Profile, Profiles } from '../sync/profiles.ts';
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
    for await (const profile of profiles.all()) {
      if (Date.parse(profile.accepted_at) >= after && (user === undefined || profile.user_id === user)) chosen.push(profile);
    }
    chosen.sort((a, b) => Date.parse(a.accepted_at) - Date.parse(b.accepted_at));
    for (const profile of chosen) print(JSON.stringify(profile));
    return exitStatus.ok;
  });
}

/** @throws {ConfigError} */
export async function deleteProfile(userId: string): Promise<number> {
  return withProfiles(async (profiles) => {
    if (await profiles.delete(userId)) return exitStatus.ok;
    throw new CommandError('there are no answers of this reader', exitStatus.failure);
  });
}

async function withProfiles(use: (profiles: Profiles) => Promise<number>): Promise<number> {
  const config = await loadConfig();
  await using vestibule = await openVestibule(config, createLog('silent'));
  return await use(vestibule.profiles);
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
