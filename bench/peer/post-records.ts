/** The peer's idempotency records: kept before a post is sent, and with its answer afterwards. */

import type { DatabaseSync } from 'node:sqlite';

export interface PostRecords {
  /** Keeps the intent. @returns `undefined` for a new key, `begun` for one without an answer, otherwise the answer */
  begin(key: string): Promise<string | undefined>;
  finish(key: string, answer: string): Promise<void>;
}

const LIFETIME_SECONDS = 86_400;

export function sqlitePostRecords(database: DatabaseSync): PostRecords {
  database.exec('CREATE TABLE posts (key TEXT PRIMARY KEY, answer TEXT, expires_at INTEGER NOT NULL)');
  const insert = database.prepare('INSERT INTO posts (key, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const select = database.prepare('SELECT answer FROM posts WHERE key = ?');
  const update = database.prepare('UPDATE posts SET answer = ? WHERE key = ?');
  return {
    async begin(key) {
      if (insert.run(key, Date.now() + LIFETIME_SECONDS * 1000).changes > 0) return undefined;
      return (select.get(key) as { answer: string | null } | undefined)?.answer ?? 'begun';
    },
    async finish(key, answer) {
      update.run(answer, key);
    },
  };
}

/** Of a client of `redis`. */
interface RedisStrings {
  set(key: string, value: string, options: {
    condition?: 'NX'; GET?: true; expiration: { type: 'EX'; value: number };
  }): Promise<unknown>;
}

export function redisPostRecords(client: RedisStrings): PostRecords {
  return {
    async begin(key) {
      const known = await client.set(`post:${key}`, 'begun', { condition: 'NX', expiration: { type: 'EX', value: LIFETIME_SECONDS }, GET: true });
      return typeof known === 'string' ? known : undefined;
    },
    async finish(key, answer) {
      await client.set(`post:${key}`, answer, { expiration: { type: 'EX', value: LIFETIME_SECONDS } });
    },
  };
}
