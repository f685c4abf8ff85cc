/** Runs the peer with `SERVICE_URL`, and `REDIS_URL` or `SQLITE_FILE`. Its first line of output is JSON with the port. */

import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { RedisStore } from 'connect-redis';
import { createClient } from 'redis';
import { COOKIE_SECRET } from '../../test/lib/bff-environment.ts';
import { posts } from '../posts-config.ts';
import { createPeer } from './app.ts';
import { redisPostRecords, sqlitePostRecords } from './post-records.ts';
import { Service } from './service.ts';
import { SqliteSessionStore } from './sqlite-session-store.ts';

const { SERVICE_URL = '', REDIS_URL, SQLITE_FILE = '' } = process.env;

const service = new Service({
  url: SERVICE_URL, publicKey: 'fca519c9211a4022abaed1915abffd11', secretKey: '88bb61a451cf4796859df6f0eeec5249',
});
const stores = REDIS_URL === undefined ? openSqlite() : await openRedis(REDIS_URL);
const server = createPeer({ ...stores, service, secret: COOKIE_SECRET, listPosts: async () => ({ posts, next_cursor: '5000000020' }) }).listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
server.keepAliveTimeout = 60_000;
process.once('SIGTERM', () => process.exit());

function openSqlite() {
  const database = new DatabaseSync(SQLITE_FILE);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  return { sessionStore: new SqliteSessionStore(database), records: sqlitePostRecords(database) };
}

async function openRedis(url: string) {
  const client = createClient({ url });
  await client.connect();
  return { sessionStore: new RedisStore({ client }), records: redisPostRecords(client) };
}
