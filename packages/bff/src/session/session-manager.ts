/** Sessions on the server: an idle lifetime that requests extend, an absolute one that nothing does. */

import type { Clock } from '../lib/clock.ts';
import { randomId } from '../lib/random-id.ts';
import type { EncryptedCollection, Found, RecordRef } from '../store/encrypted-collection.ts';
import type { Session } from './session.ts';

export interface SessionLifetimes {
  /** Seconds without a request. */
  readonly sessionIdleSeconds: number;
  /** Seconds in all. */
  readonly sessionAbsoluteSeconds: number;
}

/** An idle expiry is moved only when this share of it is over: one write for many requests. */
const TOUCH_AFTER = 0.05;

export class SessionManager {
  readonly #sessions: EncryptedCollection<Session>;
  readonly #idleMs: number;
  readonly #absoluteMs: number;
  readonly #now: Clock;

  constructor(sessions: EncryptedCollection<Session>, lifetimes: SessionLifetimes, now: Clock = Date.now) {
    this.#sessions = sessions;
    this.#idleMs = lifetimes.sessionIdleSeconds * 1000;
    this.#absoluteMs = lifetimes.sessionAbsoluteSeconds * 1000;
    this.#now = now;
  }

  /** Signs a reader in under a new id. */
  async create(session: Omit<Session, 'signedInAt'>): Promise<string> {
    const id = randomId();
    await this.#sessions.put(id, { ...session, signedInAt: this.#now() }, Math.min(this.#idleMs, this.#absoluteMs));
    return id;
  }

  /** The living session of `id`, its idle lifetime begun anew; `undefined` where it ended or never was. */
  async find(id: string): Promise<Session | undefined> {
    const found = await this.#sessions.find(id);
    return found && this.living(id, found);
  }

  /** For `findTogether`; pass what it finds to `living`. */
  ref(id: string): RecordRef<Session> {
    return this.#sessions.ref(id);
  }

  /** What was found under `id`, its idle lifetime begun anew; `undefined` where its time is over. */
  living(id: string, found: Found<Session>): Session | undefined | Promise<Session> {
    const left = found.record.signedInAt + this.#absoluteMs - this.#now();
    if (left <= 0) return undefined;
    const lifetimeMs = Math.min(this.#idleMs, left);
    const remaining = (found.expiresAt ?? 0) - this.#now();
    const isDue = lifetimeMs - remaining > this.#idleMs * TOUCH_AFTER;
    return isDue ? this.#sessions.touch(id, lifetimeMs).then(() => found.record) : found.record;
  }

  async end(id: string): Promise<void> {
    await this.#sessions.delete(id);
  }
}
