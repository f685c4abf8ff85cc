/**
 * Carries out batches of writes on the SQLite store. Each batch is one transaction; its writes settle after the commit, which is
 * when they are durable.
 *
 * A write is one statement, which SQLite undoes by itself if it fails: the other writes of the batch still commit. If SQLite
 * has rolled back the transaction, or the commit fails, every write of the batch fails.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { MessagePort } from 'node:worker_threads';
import { openForWriting } from './sqlite-file.ts';

export interface Write {
  readonly statement: keyof typeof sql;
  readonly key?: string;
  readonly value?: string;
  readonly expected?: string;
  /** `null`: never expires. */
  readonly expiresAt?: number | null;
  /** Rows that a sweep deletes. */
  readonly limit?: number;
}

export interface Batch {
  /** The clock of the store when the batch was sent. */
  readonly now: number;
  readonly writes: readonly Write[];
}

export interface Outcome {
  /** Rows that were written. */
  readonly changes?: number;
  /** The value that `take` removed. */
  readonly value?: string;
  /** Why the write failed. */
  readonly error?: unknown;
  /** Whether a failed write may be in the file all the same. */
  readonly mayHaveApplied?: boolean;
}

/** The first message of the thread. */
export type Opening = { readonly opened: true } | { readonly openError: string };

/** The message after each batch. */
export interface Committed { readonly outcomes: readonly Outcome[] }

const sql = {
  set: `INSERT INTO entries (key, value, expires_at) VALUES (:key, :value, :expiresAt)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at`,
  setIfAbsent: `INSERT INTO entries (key, value, expires_at) VALUES (:key, :value, :expiresAt)
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at
        WHERE entries.expires_at <= :now`,
  compareAndSet: `UPDATE entries SET value = :value, expires_at = :expiresAt
        WHERE key = :key AND value = :expected AND (expires_at IS NULL OR expires_at > :now)`,
  compareAndKeep: `UPDATE entries SET value = :value
        WHERE key = :key AND value = :expected AND (expires_at IS NULL OR expires_at > :now)`,
  touch: 'UPDATE entries SET expires_at = :expiresAt WHERE key = :key AND (expires_at IS NULL OR expires_at > :now)',
  take: `DELETE FROM entries WHERE key = :key
        RETURNING CASE WHEN expires_at IS NULL OR expires_at > :now THEN value END AS value`,
  compareAndDelete: 'DELETE FROM entries WHERE key = :key AND value = :expected AND (expires_at IS NULL OR expires_at > :now)',
  sweep: 'DELETE FROM entries WHERE rowid IN (SELECT rowid FROM entries WHERE expires_at <= :now LIMIT :limit)',
} as const;

/** Opens the file and reports that, or why it cannot be used; then replies to each batch until `close`.
 *  @param tasks shared: how many messages are not finished */
export function serveBatches(port: MessagePort, path: string, busyTimeoutMs: number, tasks: Int32Array<SharedArrayBuffer>): void {
  const report = (message: Opening | Committed): void => { port.postMessage(message); };
  try {
    const db = openForWriting(path, busyTimeoutMs);
    const commit = createCommit(db);
    port.on('message', (message: Batch | 'close') => {
      if (message === 'close') {
        db.close();
        port.close();
      } else {
        report({ outcomes: commit(message) });
      }
      Atomics.sub(tasks, 0, 1);
      Atomics.notify(tasks, 0);
    });
    report({ opened: true });
  } catch (error) {
    report({ openError: (error as Error).message });
  }
}

function createCommit(db: DatabaseSync): (batch: Batch) => readonly Outcome[] {
  const prepared = Object.entries(sql).map(([name, text]) => [name, db.prepare(text)]);
  const statements = Object.fromEntries(prepared) as Record<Write['statement'], StatementSync>;
  return commit;

  function commit({ now, writes }: Batch): readonly Outcome[] {
    let isCommitting = false;
    try {
      db.exec('BEGIN IMMEDIATE');
      const outcomes = writes.map((write) => attempt(write, now));
      isCommitting = true;
      db.exec('COMMIT');
      return outcomes;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      // After a failed sync the log may still hold the commit when the file is opened again.
      return writes.map(() => ({ error, mayHaveApplied: isCommitting }));
    }
  }

  /** @throws if SQLite has rolled back the transaction */
  function attempt(write: Write, now: number): Outcome {
    try {
      return run(write, now);
    } catch (error) {
      if (!db.isTransaction) throw error;
      return { error, mayHaveApplied: false };
    }
  }

  function run({ statement: name, ...parameters }: Write, now: number): Outcome {
    if (name !== 'take') return { changes: Number(statements[name].run({ ...parameters, now }).changes) };
    const value = statements.take.get({ ...parameters, now })?.['value'];
    return typeof value === 'string' ? { value } : {};
  }
}
