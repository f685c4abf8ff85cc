/** Readers who are signed in: sessions in a store as the BFF keeps them, and the `Cookie` headers that name them. */

import { createHmac } from 'node:crypto';
import { randomId } from '../../packages/bff/src/lib/identifiers.ts';
import { EncryptedCollection } from '../../packages/bff/src/store/encrypted-collection.ts';
import { RecordCipher } from '../../packages/bff/src/store/record-cipher.ts';
import type { Store } from '../../packages/bff/src/store/store.ts';
import { SessionManager, type Session } from '../../packages/bff/src/session/session-manager.ts';
import { COOKIE_SECRET } from './_bff-process.ts';

const NAME = '__Host-Http-vestibule';

const SESSIONS_AT_A_TIME = 2_000;

/** Of so many readers at most the cookies are given, who lie all over the store; the others are there to be in the way. */
const ACTIVE = 20_000;

export async function signIn(store: Store, readers: number): Promise<string[]> {
  const records = new EncryptedCollection<Session>('session', { store, cipher: new RecordCipher([COOKIE_SECRET]) });
  const sessions = new SessionManager(records, { sessionIdleSeconds: 14 * 86_400, sessionAbsoluteSeconds: 90 * 86_400 });
  const everyNth = Math.max(Math.floor(readers / ACTIVE), 1);
  const cookies: string[] = [];
  for (let from = 0; from < readers; from += SESSIONS_AT_A_TIME) {
    const size = Math.min(SESSIONS_AT_A_TIME, readers - from);
    const ids = Array.from({ length: size }, () => randomId());
    await Promise.all(ids.map((id, i) => sessions.create(id, {
      user: { user_id: String(from + i), username: `Reader ${from + i}` },
      accessToken: '0f2d3c6f8a1b4e5f9a7c6d5e4f3a2b1c',
    })));
    cookies.push(...ids.filter((_, i) => (from + i) % everyNth === 0).map(cookieOf));
  }
  return cookies;
}

/** Signed as cookie-parser does. */
function cookieOf(id: string): string {
  const value = `${NAME}.${id}`;
  const signature = createHmac('sha256', COOKIE_SECRET).update(value).digest('base64').replace(/=+$/, '');
  return `${NAME}=${encodeURIComponent(`s:${value}.${signature}`)}`;
}
