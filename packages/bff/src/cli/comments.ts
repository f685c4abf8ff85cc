/** `vestibule comments`: the comments of a thread of ours, `VESTIBULE_THREADS=sqlite:…`. */

import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { ConfigError, type Config } from '../config/config.ts';
import { loadSites } from '../config/sites.ts';
import { sqlitePathOf } from '../config/thread-rules.ts';
import { pageOf } from '../posts/parse.ts';
import { createServiceClient } from '../service/client.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { openCommentFile, type CommentFile } from '../threads/comment-file.ts';
import { ImportError, importComments } from '../threads/import.ts';
import { createModeration } from '../threads/moderation.ts';
import { updateStates } from '../threads/states.ts';
import { chosenSite, CommandError, exitStatus, notOpened, print, type SiteOption } from './command.ts';

/** Prints comments, the newest first, one JSON object a line. */
export async function listComments({ held, ...option }: SiteOption & { readonly held?: boolean }): Promise<void> {
  await withComments(option, async (comments) => {
    for await (const comment of createModeration(comments).list({ held })) print(JSON.stringify(comment));
  });
}

export async function approveComment(id: string, option: SiteOption): Promise<void> {
  await withComments(option, async (comments) => {
    if (!await createModeration(comments).approve(id)) throw new CommandError(`there is no comment ${id} that waits for approval`);
    print(`Comment ${id} is published.`);
  });
}

export async function removeComment(id: string, option: SiteOption): Promise<void> {
  await withComments(option, async (comments) => {
    if (!await createModeration(comments).remove(id)) throw new CommandError(`there is no comment ${id}`);
    print(`Comment ${id} is removed. Its replies stay, and the copy at the service does.`);
  });
}

export async function moveComments(from: string, to: string, option: SiteOption): Promise<void> {
  await withComments(option, async (comments, { origins }) => {
    const [oldPage, newPage] = [URL.parse(from)?.href, pageOf(to, origins)];
    if (oldPage === undefined) throw new CommandError('the old address must be an absolute URL', exitStatus.usage);
    if (newPage === null) throw new CommandError(`the new address must be a URL without fragment on one of ${origins.join(', ')}`, exitStatus.usage);
    const moved = await createModeration(comments).move(oldPage, newPage);
    if (moved === undefined) throw new CommandError('there are no comments at the old address');
    print(`Published comments that moved: ${moved}.`);
  });
}

export async function syncComments(option: SiteOption): Promise<void> {
  await withComments(option, async (comments, config) => {
    await using service = createServiceClient(config);
    const { asked, changed, failure } = await updateStates({ comments, service, now: Date.now });
    print(`Asked the service for ${asked} comments; states that changed: ${changed}.`);
    if (failure) throw new CommandError(`the service does not answer further: ${failure.diagnosis['reason'] ?? failure.type}`);
  });
}

interface ImportFileOptions extends SiteOption {
  readonly serviceUsers?: boolean;
}

export async function importFile(path: string, { serviceUsers = false, ...option }: ImportFileOptions): Promise<void> {
  await using file = await open(path).catch(unreadable);
  if ((await file.stat()).isDirectory()) unreadable({ code: 'EISDIR' });
  await withComments(option, async (comments, config) => {
    const work = importComments(comments, file.readLines(), config, { hasServiceUsers: serviceUsers });
    const { added, known, orphans } = await work.catch((error: unknown) => {
      throw error instanceof ImportError ? new CommandError(error.message) : error;
    });
    print(`Imported comments: ${added}. There before: ${known}.${orphans > 0 ? ` Replies without their parent, which stand alone: ${orphans}.` : ''}`);
  }, true);

  function unreadable({ code }: Pick<NodeJS.ErrnoException, 'code'>): never {
    throw new CommandError(`${path} cannot be read (${code})`, exitStatus.usage);
  }
}

/** @param canCreate whether the file may be missing @throws {ConfigError | CommandError} */
async function withComments(
  option: SiteOption, use: (comments: CommentFile, config: Config) => Promise<void>, canCreate = false,
): Promise<void> {
  const config = chosenSite(await loadSites(), option);
  const path = sqlitePathOf(config.threads);
  if (path === undefined) throw new ConfigError(['VESTIBULE_THREADS: is not sqlite:PATH, so the BFF keeps no comments']);
  if (path === ':memory:') throw new ConfigError(['VESTIBULE_THREADS: comments in memory belong to the process that serves; other processes cannot read them']);
  if (!canCreate && !existsSync(path)) throw new ConfigError([`VESTIBULE_THREADS: there is no file at ${path}; use the setting of the BFF`]);
  using comments = await openCommentFile(path, config.siteKey).catch(notOpened('VESTIBULE_THREADS'));
  try {
    await use(comments, config);
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw new CommandError(`VESTIBULE_THREADS: ${error.reason}`, exitStatus.unavailable);
    throw error;
  }
}
