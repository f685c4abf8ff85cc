/**
 * The sign-in transaction (interface, section 3, steps 3 to 6): one encrypted record, owned by the
 * browser whose cookie names it, moved by compare-and-set only.
 *
 *     validating ──▶ exchanging ──▶ granted ──▶ done
 *         ▲              │
 *         └─ not sent ───┘
 *
 * A record that is absent has expired, was superseded, or its reader signed out: every later move of it fails.
 * A short lease, renewed while a request works, keeps two requests from working on one record; the store counts its time.
 *
 * What a restart finds after a crash, and what the identical request then does:
 * 1. before `exchanging` is written: `validating`. The request starts over; `validate` runs again.
 * 2. after `exchanging`, before the claim of the code is marked as spent: `exchanging`. The code was not sent: as 1.
 * 3. after the mark, before the response of the token endpoint: `exchanging`, spent. The code may have been exchanged: the
 *    transaction ends as `done` with `outcome-unknown`. The code is never sent again.
 * 4. after the response, before `granted` is written: as 3.
 * 5. after `granted`, before, during or after `onAccepted`, the profile and the session: `granted`. The request runs them
 *    again (each is idempotent) and completes; the code is not needed.
 * 6. after `done`, before the response: `done`. The request gets the same outcome and the same session cookie.
 */

import { randomUUID } from 'node:crypto';
import type { Notice, ProblemType, SyncOutcome, SyncReturn } from '@vestibule/shared';
import type { AcceptedUser } from '../config/hooks.ts';
import { ProblemError } from '../http/problem-error.ts';
import { randomId, sha256 } from '../lib/identifiers.ts';
import { pause } from '../lib/time.ts';
import type { EncryptedCollection, Found } from '../store/encrypted-collection.ts';
import { withStoreRetries } from '../store/store.ts';

interface SyncBase extends SyncReturn {
  readonly forum: string;
  /** Order of the sign-ins of one browser: a later one has a higher number. Those that start at the same time may have the
   *  same one: `isNewer`. */
  readonly sequence: number;
}

export interface Grant {
  readonly accessToken: string;
  /** Proven by the token exchange, unless `proven` is `false`. */
  readonly user: AcceptedUser;
}

export type SyncResult =
  /** `session`: the new one, after `accepted`. */
  | { readonly outcome: SyncOutcome; readonly session?: { readonly id: string; readonly user: AcceptedUser } }
  /** `request_id`: of the request that failed, for the log. Absent in records of earlier releases. */
  | { readonly problem: ProblemType; readonly detail: string; readonly request_id?: string };

export type Validating = SyncBase & { readonly state: 'validating' };
export type Exchanging = SyncBase & { readonly state: 'exchanging' };
export type Granted = SyncBase & {
  readonly state: 'granted';
  readonly grant: Grant;
  /** Of the session that `accepted` creates; chosen here, so that a retry creates the same one. */
  readonly sessionId: string;
};
export type Done = Pick<SyncBase, 'sequence'> & {
  readonly state: 'done';
  readonly result: SyncResult;
  /** Not delivered yet. */
  readonly notice?: Notice;
};

export type SyncRecord = (Validating | Exchanging | Granted | Done) & {
  /** Unique to each write: shows whether a write with a lost reply was applied. */
  readonly revision: string;
};

export type SyncState = SyncRecord['state'];

/** A transaction as it was read; `stored` is the expected value of the next move. */
export type FoundSync<S extends SyncState = SyncState> = Found<Extract<SyncRecord, { state: S }>> & {
  /** Value of the owner's cookie. */
  readonly key: string;
};

const moves: Readonly<Record<SyncState, readonly SyncState[]>> = {
  validating: ['exchanging', 'done'],
  exchanging: ['validating', 'granted', 'done'],
  granted: ['done'],
  done: ['done'],
};

/** Lifetime of a lease, in ms: after a crash the identical request waits as long. */
const LEASE_MS = 5_000;
const RENEW_LEASE_EVERY_MS = 1_500;

/** How often a request looks again while another one works on the transaction, in ms. */
const POLL_MS = 150;

/** Longer than the default time limit of a hook, shorter than that of the widget's requests, in ms. */
const MAX_WAIT_MS = 12_000;
const RETRY_SECONDS = 2;

/** Whether `one` is the newer of two sign-ins of one browser. The key decides between two that started at the same time. */
export function isNewer(one: FoundSync, other: FoundSync): boolean {
  const lead = one.record.sequence - other.record.sequence;
  return lead > 0 || (lead === 0 && one.key > other.key);
}

/** The public id of the transaction that belongs to the cookie value `key`. Does not reveal the key. */
export function syncIdOf(key: string): string {
  return sha256('sync id', key).slice(0, 22);
}

export interface SyncTransactionsOptions {
  readonly records: EncryptedCollection<SyncRecord>;
  /** Tokens of the requests that work on a transaction. */
  readonly leases: EncryptedCollection<string>;
  /** Lifetime of a transaction, in ms. */
  readonly lifetimeMs: number;
}

export class SyncTransactions {
  readonly #records: EncryptedCollection<SyncRecord>;
  readonly #leases: EncryptedCollection<string>;
  readonly #lifetimeMs: number;

  constructor({ records, leases, lifetimeMs }: SyncTransactionsOptions) {
    this.#records = records;
    this.#leases = leases;
    this.#lifetimeMs = lifetimeMs;
  }

  /** Starts a transaction. @returns its key, the value of the owner's cookie */
  async start(base: SyncBase): Promise<string> {
    const key = randomId();
    await this.#records.put(key, { ...base, state: 'validating', revision: randomUUID() }, this.#lifetimeMs);
    return key;
  }

  /** `undefined`: expired, superseded, signed out, or never started. */
  async find(key: string): Promise<FoundSync | undefined> {
    const found = await this.#records.find(key);
    return found && { ...found, key } as FoundSync;
  }

  /** Those of `keys` that `find` finds. */
  async findAll(keys: readonly string[]): Promise<FoundSync[]> {
    const found = await Promise.all(keys.map((key) => this.find(key)));
    return found.filter((one) => one !== undefined);
  }

  /** Ends the transaction in whatever state it is: every move in progress fails from now on.
   *  @returns the state that it ended in; `undefined` without a transaction */
  remove(key: string): Promise<SyncRecord | undefined> {
    return this.#records.take(key);
  }

  /** Ends the transaction for a newer sign-in of the browser: one that a request works on, or that has left `validating`; not
   *  one that is `done`. @returns its last state */
  async supersede(key: string): Promise<SyncRecord | undefined> {
    for (;;) {
      // Before the record: a request that completes the sign-in meanwhile leaves a record that is `done`.
      const isLeased = await this.#leases.find(key) !== undefined;
      const found = await this.find(key);
      const state = found?.record.state;
      const isInProgress = state === 'validating' ? isLeased : state !== 'done';
      // Deletes what it has read: a record that is `done` by now keeps the outcome.
      if (!found || !isInProgress || await this.#records.delete(key, found)) return found?.record;
    }
  }

  /** Moves the transaction. `undefined`: another writer was first.
   *  @throws {StoreUnavailableError} it is unknown whether the move was applied
   *  @throws {Error} for a move that the state machine does not have */
  async move<S extends SyncState>(
    found: FoundSync,
    next: Omit<Extract<SyncRecord, { state: S }>, 'revision'> & { readonly state: S },
  ): Promise<FoundSync<S> | undefined> {
    if (!moves[found.record.state].includes(next.state)) {
      throw new Error(`A sign-in cannot move from ${found.record.state} to ${next.state}.`);
    }
    const revision = randomUUID();
    const record = { ...next, revision } as unknown as SyncRecord;
    return withStoreRetries(async (earlierAttempts) => {
      const moved = await this.#records.compareAndSet(found.key, found, record)
        ?? (earlierAttempts > 0 ? await this.#records.find(found.key) : undefined);
      return moved?.record.revision === revision ? { ...moved, key: found.key } as FoundSync<S> : undefined;
    });
  }

  /** Runs `work` on the transaction while no other request does; waits for the other one first.
   *  A `done` transaction needs no lease.
   *  @throws {ProblemError} `no-sync-in-progress`; `service-unavailable` if another request is at work for twelve seconds */
  async exclusively<T>(key: string, work: (found: FoundSync) => Promise<T>): Promise<T> {
    const waitUntil = performance.now() + MAX_WAIT_MS;
    while (performance.now() < waitUntil) {
      const found = await this.#require(key);
      if (found.record.state === 'done') return work(found);
      const lease = await this.#acquire(key);
      if (lease) return this.#withLease(key, lease, async () => work(await this.#require(key)));
      await pause(POLL_MS);
    }
    const diagnosis = { reason: 'another request still works on the sign-in', setting: 'VESTIBULE_HOOK_TIMEOUT_MS, VESTIBULE_SERVICE_TIMEOUT_MS' };
    const detail = 'Your answers are being checked already. Please try again in a moment.';
    throw new ProblemError('service-unavailable', { detail, diagnosis, retryAfterSeconds: RETRY_SECONDS });
  }

  async #withLease<T>(key: string, lease: Found<string>, work: () => Promise<T>): Promise<T> {
    const renewal = setInterval(() => { this.#leases.touch(key, LEASE_MS).catch(() => undefined); }, RENEW_LEASE_EVERY_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
      // Only its own: a lease that has expired can belong to another request by now. One that is not deleted expires.
      await this.#leases.delete(key, lease).catch(() => undefined);
    }
  }

  async #require(key: string): Promise<FoundSync> {
    const found = await this.find(key);
    if (!found) throw new ProblemError('no-sync-in-progress');
    return found;
  }

  /** `undefined` if another request has the lease. */
  async #acquire(key: string): Promise<Found<string> | undefined> {
    const token = randomUUID();
    return withStoreRetries(async (earlierAttempts) => {
      const lease = await this.#leases.putIfAbsent(key, token, LEASE_MS)
        ?? (earlierAttempts > 0 ? await this.#leases.find(key) : undefined);
      return lease?.record === token ? lease : undefined;
    });
  }
}
