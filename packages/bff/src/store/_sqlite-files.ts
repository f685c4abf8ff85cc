/** Store files and processes on them, for the tests of the SQLite store. */

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';

/** Removed after the tests of the file that imports this. */
export const directory = await mkdtemp(join(tmpdir(), 'vestibule-sqlite-'));
after(() => rm(directory, { recursive: true }));

let files = 0;

/** Of a file that does not exist. */
export const newPath = (): string => join(directory, `${files += 1}.db`);

export async function withStore(path: string, use: (store: SqliteStore) => void | Promise<void>): Promise<void> {
  await using store = await openSqliteStore(path);
  await use(store);
}

/** A store on a file whose write lock another connection holds. */
export async function openLocked(options: SqliteStoreOptions = {}) {
  const path = newPath();
  const store = await openSqliteStore(path, options);
  const holder = new DatabaseSync(path);
  holder.exec('BEGIN IMMEDIATE');
  const unlock = () => { if (holder.isTransaction) holder.exec('ROLLBACK'); };
  return {
    store,
    unlock,
    async [Symbol.asyncDispose]() {
      unlock();
      holder.close();
      await store[Symbol.asyncDispose]();
    },
  };
}

export function startProcess(args: readonly string[]) {
  return spawn(process.execPath, processArgs(args), { stdio: ['ignore', 'pipe', 'inherit'] });
}

export async function runProcess(args: readonly string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, processArgs(args), { timeout: 30_000 })).stdout;
}

export function processArgs(args: readonly string[]): string[] {
  return ['--conditions=@vestibule/source', join(import.meta.dirname, '_sqlite-process.ts'), ...args];
}

/** The complete lines printed so far. */
export function linesOf(child: ReturnType<typeof startProcess>): string[] {
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  return lines;
}

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!await condition()) await setTimeout(2);
}

/** Makes every write of the key `broken` fail with the given conflict resolution. */
export function addTriggers(path: string, resolution: 'ABORT' | 'ROLLBACK'): void {
  using db = new DatabaseSync(path);
  for (const [event, row] of [['INSERT', 'NEW'], ['UPDATE', 'NEW'], ['DELETE', 'OLD']] as const) {
    db.exec(`CREATE TRIGGER refuse_${event} AFTER ${event} ON entries WHEN ${row}.key = 'broken'
      BEGIN SELECT RAISE(${resolution}, 'refused by a trigger'); END`);
  }
}

/** Makes every commit fail that inserted the key `broken`: SQLite checks deferred foreign keys then. */
export function failCommits(path: string): void {
  using db = new DatabaseSync(path);
  db.exec(`CREATE TABLE parents (id INTEGER PRIMARY KEY);
    CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER fail_commit AFTER INSERT ON entries WHEN NEW.key = 'broken' BEGIN INSERT INTO children VALUES (1); END`);
}
