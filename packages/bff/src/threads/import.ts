/** `vestibule comments import FILE`: comments of another system, as JSON Lines. Their ids get a prefix of their own, and are none
 *  of the service. */

import { setTimeout as pause } from 'node:timers/promises';
import { articleKey } from '@vestibule/shared';
import * as z from 'zod';
import type { Config } from '../config/config.ts';
import { entryId, instant, messageText } from '../hooks/post-entry.ts';
import { commentId, nonEmptyText } from '../lib/input.ts';
import { pageOf } from '../posts/parse.ts';
import type { CommentFile, CommentRow } from './comment-file.ts';

const PREFIX = 'i-';

/** Comments of one transaction, and the pause in which other processes get the lock, in ms. */
const BATCH = 500;
const PAUSE_MS = 25;

const MAX_NAMED = 20;

export interface ImportResult {
  readonly added: number;
  /** Were there before, or stand in the file twice. */
  readonly known: number;
  /** Replies to a comment that is neither in the file nor in the thread: they stand alone. */
  readonly orphans: number;
}

export interface ImportOptions {
  /** Whether `user_id` is of the service: readers then own their comments. */
  readonly hasServiceUsers: boolean;
}

/** Lines that are no comments; nothing was imported. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** As the thread has it, so that readers can name it. */
const importedId = entryId.transform((id) => PREFIX + id).pipe(commentId);

type Line = z.output<ReturnType<typeof lineSchema>>;

function lineSchema({ forums, origins }: Pick<Config, 'forums' | 'origins'>) {
  return z.object({
    forum: z.enum(forums as [string, ...string[]]),
    page: z.string().transform((page) => pageOf(page, origins) ?? '').pipe(z.string().min(1)),
    id: importedId,
    parent_id: importedId.nullish(),
    author: z.object({ username: nonEmptyText(255), user_id: entryId.nullish() }),
    message: messageText,
    created_at: instant,
  });
}

/** @throws {ImportError} before anything is written @throws {StoreUnavailableError} afterwards; the same import then goes on */
export async function importComments(
  comments: CommentFile, lines: AsyncIterable<string>, config: Pick<Config, 'forums' | 'origins'>, { hasServiceUsers }: ImportOptions,
): Promise<ImportResult> {
  const all = await parse(lines, lineSchema(config));
  const byId = new Map(all.map((line) => [line.id, line]));
  const ordered = parentsFirst(byId);
  const counts = { added: 0, known: all.length - byId.size, orphans: 0 };
  for (let from = 0; from < ordered.length; from += BATCH) {
    if (from > 0) await pause(PAUSE_MS);
    const batch = ordered.slice(from, from + BATCH);
    const rows = await comments.write(() => {
      const added = batch.flatMap((line): CommentRow[] => (comments.byId(line.id) ? [] : [comments.insert({
        id: line.id, isOfService: false, forum: line.forum, page: line.page, isHeld: false,
        parent: line.parent_id ?? undefined,
        at: Date.parse(line.created_at), name: line.author.username, text: line.message,
        user: hasServiceUsers ? line.author.user_id ?? null : null,
      })]));
      comments.publish(added);
      return added;
    });
    counts.added += rows.length;
    counts.known += batch.length - rows.length;
    const isOrphan = ({ id, parent }: CommentRow) => parent === null && byId.get(id)?.parent_id != null;
    counts.orphans += rows.filter(isOrphan).length;
  }
  return counts;
}

async function parse(lines: AsyncIterable<string>, schema: ReturnType<typeof lineSchema>): Promise<Line[]> {
  const parsed: Line[] = [];
  const faults: string[] = [];
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const { data, error } = schema.safeParse(jsonOf(line));
    if (data) parsed.push(data);
    else faults.push(`line ${number}: ${[...new Set(error.issues.map(({ path }) => path.join('.') || 'no JSON object'))].join(', ')}`);
  }
  if (faults.length === 0) return parsed;
  const more = faults.length > MAX_NAMED ? [`and ${faults.length - MAX_NAMED} more`] : [];
  throw new ImportError(['Nothing was imported: these members are missing or not valid.', ...faults.slice(0, MAX_NAMED), ...more].join('\n'));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** By time, but no reply before its parent, whatever the dates. A parent of another article is none; a cycle is cut where it is
 *  entered. */
function parentsFirst(byId: ReadonlyMap<string, Line>): readonly Line[] {
  const ordered = new Set<Line>();
  const parentOf = ({ parent_id, forum, page }: Line): Line | undefined => {
    const parent = byId.get(parent_id ?? '');
    return parent?.forum === forum && articleKey(parent.page) === articleKey(page) ? parent : undefined;
  };
  const at = new Map([...byId.values()].map((line) => [line, Date.parse(line.created_at)]));
  for (const line of [...byId.values()].sort((one, other) => (at.get(one) ?? 0) - (at.get(other) ?? 0))) {
    const chain = new Set<Line>();
    for (let one: Line | undefined = line; one && !ordered.has(one) && !chain.has(one); one = parentOf(one)) chain.add(one);
    for (const one of [...chain].reverse()) ordered.add(one);
  }
  return [...ordered];
}
