/** Sessions in the store: an idle lifetime that requests extend and an absolute lifetime. A session is written once, at the
 *  sign-in: a request in progress can neither overwrite a newer session nor bring an ended one back. */

import type { Config } from '../config/config.ts';
import type { AcceptedUser } from '../config/hooks.ts';
import type { Clock } from '../lib/time.ts';
import type { EncryptedCollection } from '../store/encrypted-collection.ts';
import { ignoreUnavailableStore } from '../store/store.ts';

export interface Session {
  readonly user: AcceptedUser;
  /** From the token exchange (interface 4.4). */
  readonly accessToken: string;
  /** Milliseconds since the epoch. */
  readonly signedInAt: number;
}

type SessionConfig = Pick<Config, 'sessionIdleSeconds' | 'sessionAbsoluteSeconds'>;

/** The idle expiry moves after this share of the idle lifetime: one write for many requests. */
const TOUCH_AFTER = 0.05;

export class SessionManager {
  readonly #sessions: EncryptedCollection<Session>;
  readonly #idleMs: number;
  readonly #absoluteMs: number;
  readonly #now: Clock;

  constructor(sessions: EncryptedCollection<Session>, config: SessionConfig, now: Clock = Date.now) {
    this.#sessions = sessions;
    this.#idleMs = config.sessionIdleSeconds * 1000;
    this.#absoluteMs = config.sessionAbsoluteSeconds * 1000;
    this.#now = now;
  }

  /** Creates the session `id`, an unguessable identifier that was never in use. Idempotent. */
  async create(id: string, session: Omit<Session, 'signedInAt'>): Promise<void> {
    await this.#sessions.put(id, { ...session, signedInAt: this.#now() }, Math.min(this.#idleMs, this.#absoluteMs));
  }

  /** The live session `id`, with its idle lifetime extended if the store takes the write. `undefined`: ended, expired, or never
   *  created. */
  async find(id: string): Promise<Session | undefined> {
    const found = await this.#sessions.find(id);
    if (!found) return undefined;
    const left = found.record.signedInAt + this.#absoluteMs - this.#now();
    if (left <= 0) return undefined;
    const lifetimeMs = Math.min(this.#idleMs, left);
    const remaining = (found.expiresAt ?? 0) - this.#now();
    if (lifetimeMs - remaining > this.#idleMs * TOUCH_AFTER) {
      await this.#sessions.touch(id, lifetimeMs).catch(ignoreUnavailableStore);
    }
    return found.record;
  }

  async end(id: string): Promise<void> {
    await this.#sessions.delete(id);
  }
}
