/** Commands on stored data and files: `profiles`, `readers`, `log-id` and `assets`. */

import { cpSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, type Config } from '../config/config.ts';
import { readConfig } from '../config/load.ts';
import { widgetDirectory } from '../http/static.ts';
import { createKeyedHashes, sha256 } from '../lib/identifiers.ts';
import { printableJson } from '../lib/text.ts';
import { silentLog } from '../log.ts';
import { sqlitePathOf } from '../store/open.ts';
import type { OpenVestibule } from '../vestibule.ts';
import { CommandError, openConfigured, type CommandContext } from './command.ts';

/** Prints accepted answers as NDJSON. @throws {CommandError | ConfigError} */
export async function printProfiles(context: CommandContext): Promise<void> {
  await withStore(context, async ({ profiles, profilesBySecret }) => {
    for await (const profile of profiles.all()) context.print(printableJson(profile));
    assertDecryptable((await profilesBySecret()).get(-1) ?? 0);
  });
}

/** Prints what the store holds about a reader, as JSON. @throws {CommandError | ConfigError} */
export async function exportReader(userId: string, context: CommandContext): Promise<void> {
  await withStore(context, async ({ readers }, location) => {
    assertDecryptable(await readers.undecryptable(userId));
    const reader = await readers.export(userId);
    assertFound(Object.values(reader).flatMap((records) => (Array.isArray(records) ? records as object[] : [])).length, location);
    context.print(printableJson(reader, 2));
  });
}

export async function deleteReader(userId: string, context: CommandContext): Promise<void> {
  await withStore(context, async ({ readers }, location) => {
    assertDecryptable(await readers.undecryptable(userId));
    const { profiles, sessions, syncs, posts } = await readers.delete(userId);
    assertFound(profiles + sessions + syncs + posts, location);
    context.print(`Deleted from ${location}: profiles ${profiles}, sessions ${sessions}, sign-ins ${syncs}, posting records ${posts}.`);
  });
}

/** @throws {CommandError} if a secret is missing: what it encrypted would be left out in silence */
function assertDecryptable(missing: number): void {
  if (missing === 0) return;
  throw new CommandError(`${missing} records cannot be decrypted; add the secret at the end of VESTIBULE_COOKIE_SECRETS`);
}

function assertFound(count: number, location: string): void {
  if (count === 0) throw new CommandError(`there is nothing about this reader in ${location}`);
}

/** Prints what stands for a user in the log, under each cookie secret, newest first. @throws {ConfigError} */
export async function printLogId(userId: string, { environment, print }: CommandContext): Promise<void> {
  for (const id of createKeyedHashes(await readConfig(environment), 'log id').keysOf(sha256(userId))) print(id);
}

/** Copies the files of the widget, and deletes none. The entries come last: a file that they name is there.
 *  @throws {CommandError} */
export async function copyAssets(directory: string, { print }: CommandContext): Promise<void> {
  try {
    cpSync(join(widgetDirectory(), 'assets'), join(directory, 'assets'), { recursive: true });
    cpSync(widgetDirectory(), directory, { recursive: true });
  } catch (error) {
    throw new CommandError(`the files of the widget cannot be copied: ${(error as Error).message}`);
  }
  print(`The files of the widget are in ${resolve(directory)}.`);
}

/** @param use receives an instance, and where its records are, for messages */
async function withStore(
  { environment }: CommandContext, use: (vestibule: OpenVestibule, location: string) => Promise<void>,
): Promise<void> {
  const config = await readConfig(environment);
  const location = locationOf(config);
  await using vestibule = await openConfigured(config, silentLog());
  await use(vestibule, location);
}

/** @throws {ConfigError} if there is no store: with another environment than the BFF's, an empty one would be misleading */
function locationOf({ store }: Config): string {
  if (store.startsWith('memory:')) {
    throw new ConfigError(['VESTIBULE_STORE: a memory store belongs to the process that serves; other processes cannot read it']);
  }
  const path = sqlitePathOf(store);
  if (path === undefined) return 'Redis';
  if (!existsSync(path)) throw new ConfigError([`VESTIBULE_STORE: there is no store at ${path}; use the setting of the server`]);
  return path;
}
