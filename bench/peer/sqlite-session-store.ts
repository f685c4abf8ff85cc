/** A durable store of express-session on SQLite, with the methods that its documentation requires and recommends. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Store, type SessionData } from 'express-session';

/** Expiries are moved once an hour, as `touchAfter` of connect-mongo does. */
const TOUCH_AFTER_MS = 3_600_000;
const DAY_MS = 86_400_000;

type Callback = (error?: unknown) => void;

export class SqliteSessionStore extends Store {
  readonly #get: StatementSync;
  readonly #set: StatementSync;
  readonly #touch: StatementSync;
  readonly #destroy: StatementSync;

  constructor(database: DatabaseSync) {
    super();
    database.exec('CREATE TABLE sessions (sid TEXT PRIMARY KEY, data TEXT NOT NULL, expires_at INTEGER NOT NULL)');
    this.#get = database.prepare('SELECT data FROM sessions WHERE sid = ? AND expires_at > ?');
    this.#set = database.prepare('INSERT INTO sessions VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET data = excluded.data, expires_at = excluded.expires_at');
    this.#touch = database.prepare('UPDATE sessions SET expires_at = ? WHERE sid = ? AND expires_at < ?');
    this.#destroy = database.prepare('DELETE FROM sessions WHERE sid = ?');
  }

  override get(sid: string, callback: (error: unknown, session?: SessionData | null) => void): void {
    respond(callback, () => {
      const row = this.#get.get(sid, Date.now()) as { data: string } | undefined;
      return row ? JSON.parse(row.data) as SessionData : null;
    });
  }

  override set(sid: string, session: SessionData, callback: Callback = () => undefined): void {
    respond(callback, () => this.#set.run(sid, JSON.stringify(session), expiryOf(session)));
  }

  override touch(sid: string, session: SessionData, callback: () => void = () => undefined): void {
    respond(callback, () => this.#touch.run(expiryOf(session), sid, expiryOf(session) - TOUCH_AFTER_MS));
  }

  override destroy(sid: string, callback: Callback = () => undefined): void {
    respond(callback, () => this.#destroy.run(sid));
  }
}

function expiryOf({ cookie }: SessionData): number {
  return cookie.expires instanceof Date ? cookie.expires.getTime() : Date.now() + DAY_MS;
}

function respond<T>(callback: (error: unknown, result?: T) => void, work: () => T): void {
  let result: T;
  try {
    result = work();
  } catch (error) {
    callback(error);
    return;
  }
  callback(null, result);
}
