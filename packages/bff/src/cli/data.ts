/** Commands on stored data and files: `profiles`, `readers`, `log-id`, `backup` and `assets`. */

import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigError, type Config } from '../config/config.ts';
import { loadSites } from '../config/sites.ts';
import { sqlitePathOf } from '../config/thread-rules.ts';
import { widgetDirectory } from '../http/static.ts';
import { createLogIds } from '../lib/identifiers.ts';
import { silentLog } from '../log.ts';
import { backUpSqliteFile } from '../store/sqlite-file.ts';
import { STORE_SCHEMA } from '../store/sqlite.ts';
import type { Site } from '../site.ts';
import { COMMENT_SCHEMA } from '../threads/comment-file.ts';
import { chosenSite, CommandError, exitStatus, openConfigured, print, type SiteOption } from './command.ts';

/** Prints accepted answers as NDJSON. @throws {CommandError | ConfigError} */
export async function printProfiles(option: SiteOption): Promise<void> {
  await withStore(option, async ({ profiles, profilesBySecret }) => {
    for await (const profile of profiles.all()) print(JSON.stringify(profile));
    assertDecryptable((await profilesBySecret()).get(-1) ?? 0);
  });
}

/** Prints what the store holds about a reader, as JSON. @throws {CommandError | ConfigError} */
export async function exportReader(userId: string, option: SiteOption): Promise<void> {
  await withStore(option, async ({ readers }, location) => {
    assertDecryptable(await readers.undecryptable(userId));
    const reader = await readers.export(userId);
    assertFound(Object.values(reader).flatMap((records) => (Array.isArray(records) ? records as object[] : [])).length, location);
    print(JSON.stringify(reader, undefined, 2));
  });
}

export async function deleteReader(userId: string, option: SiteOption): Promise<void> {
  await withStore(option, async ({ readers }, location) => {
    assertDecryptable(await readers.undecryptable(userId));
    const { profiles, sessions, syncs, posts, comments, likes } = await readers.delete(userId);
    assertFound(profiles + sessions + syncs + posts + (comments ?? 0) + (likes ?? 0), location);
    const ofThread = comments === undefined ? '' : `, comments ${comments}, likes ${likes}`;
    print(`Deleted from ${location}: profiles ${profiles}, sessions ${sessions}, sign-ins ${syncs}, posting records ${posts}${ofThread}.`);
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

/** Prints what stands for a user in the log, at each site and under each cookie secret, newest first. @throws {ConfigError} */
export async function printLogId(userId: string): Promise<void> {
  const ids = (await loadSites()).flatMap((site) => createLogIds(site).all(userId));
  for (const id of new Set(ids)) print(id);
}

/** Copies the SQLite store to `target`, and the files of comments, under their own names, into its folder. Processes may use them
 *  meanwhile. @throws {CommandError | ConfigError} */
export async function backUp(target: string): Promise<void> {
  const sites = await loadSites();
  const location = locationOf(sites[0]);
  if (sqlitePathOf(sites[0].store) === undefined) throw new CommandError('only SQLite is backed up; use the tools of Redis', exitStatus.usage);
  const threads = new Set(sites.map(({ threads }) => sqlitePathOf(threads)).filter((path) => path !== undefined && path !== ':memory:' && existsSync(path)) as string[]);
  const copies = [
    { from: location, to: resolve(target), schema: STORE_SCHEMA },
    ...[...threads].map((path) => ({ from: path, to: join(dirname(resolve(target)), basename(path)), schema: COMMENT_SCHEMA })),
  ];
  for (const [i, { from, to }] of copies.entries()) {
    if (from === to) throw new CommandError(`name a file in another folder: the copy of ${from} has its own name`, exitStatus.usage);
    if (existsSync(to)) throw new CommandError(`The backup ${to} cannot be written: it exists already.`);
    if (copies.findIndex((one) => one.to === to) < i) throw new CommandError(`two files have the name ${basename(to)}: rename one`);
  }
  for (const { from, to, schema } of copies) {
    try {
      mkdirSync(dirname(to), { recursive: true });
      backUpSqliteFile(from, to, schema);
    } catch (error) {
      throw new CommandError((error as Error).message);
    }
    print(`${from} is copied to ${to}.${schema === STORE_SCHEMA ? ' The copy needs the same VESTIBULE_COOKIE_SECRETS.' : ''}`);
  }
}

/** Copies the files of the widget, and deletes none. The entries come last: a file that they name is there.
 *  @throws {CommandError} */
export async function copyAssets(directory: string): Promise<void> {
  try {
    cpSync(join(widgetDirectory(), 'assets'), join(directory, 'assets'), { recursive: true });
    cpSync(widgetDirectory(), directory, { recursive: true });
  } catch (error) {
    throw new CommandError(`the files of the widget cannot be copied: ${(error as Error).message}`);
  }
  print(`The files of the widget are in ${resolve(directory)}.`);
}

/** @param use receives the site that `option` names, and where its records are, for messages */
async function withStore(
  option: SiteOption, use: (site: Site, location: string) => Promise<void>,
): Promise<void> {
  const config = chosenSite(await loadSites(), option);
  const location = locationOf(config);
  await using opened = await openConfigured([config], silentLog());
  await use(opened.sites[0], location);
}

/** @throws {ConfigError} if there is no store: with another environment than the BFF's, an empty one would be misleading */
function locationOf({ store }: Config): string {
  if (store.startsWith('memory:')) {
    throw new ConfigError(['VESTIBULE_STORE: a memory store belongs to the process that serves; other processes cannot read it']);
  }
  const path = sqlitePathOf(store);
  if (path === undefined) return 'Redis';
  if (!existsSync(path)) throw new ConfigError([`VESTIBULE_STORE: there is no store at ${path}; use the setting of the BFF`]);
  return path;
}
