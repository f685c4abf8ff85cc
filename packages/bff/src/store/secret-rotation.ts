/**
 * Rotation of cookie secrets. Records are encrypted under the newest secret when they are written; those that nobody writes,
 * such as profiles, are re-encrypted in the background, so that an older secret can be dropped without a loss.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { kindOfKey } from './encrypted-collection.ts';
import type { RecordCipher } from './record-cipher.ts';
import type { Store } from './store.ts';

export interface SecretCounts {
  /** Records per configured secret, newest first. */
  readonly bySecret: readonly number[];
  /** Records that no configured secret decrypts, by kind. */
  readonly undecryptable: ReadonlyMap<string, number>;
}

/** Reads and decrypts every record. @throws {StoreUnavailableError} */
export async function countBySecret(store: Store, cipher: RecordCipher): Promise<SecretCounts> {
  const bySecret = Array.from({ length: cipher.secretCount }, () => 0);
  const undecryptable = new Map<string, number>();
  for await (const [key, stored] of store.entries('')) {
    const kind = kindOfKey(key);
    if (kind === undefined) continue;
    const secret = cipher.secretOf(stored);
    if (cipher.decrypt(key, stored) === undefined) undecryptable.set(kind, (undecryptable.get(kind) ?? 0) + 1);
    else bySecret[secret] = (bySecret[secret] ?? 0) + 1;
  }
  return { bySecret, undecryptable };
}

export interface ReencryptionOptions {
  readonly signal?: AbortSignal;
  /** Between two batches, so that requests go first, in ms. */
  readonly pauseMs?: number;
}

export interface Reencryption {
  /** Records that are now encrypted under the newest secret. */
  readonly reencrypted: number;
  readonly undecryptable: ReadonlyMap<string, number>;
}

const BATCH = 50;

/** Re-encrypts the records of older secrets; a concurrent change of a record wins.
 *  @throws {StoreUnavailableError} and the reason of `signal` */
export async function reencryptRecords(
  store: Store,
  cipher: RecordCipher,
  { signal, pauseMs = 20 }: ReencryptionOptions = {},
): Promise<Reencryption> {
  const undecryptable = new Map<string, number>();
  let reencrypted = 0;
  let batch: { readonly key: string; readonly stored: string; readonly plaintext: string }[] = [];
  for await (const [key, stored] of store.entries('')) {
    signal?.throwIfAborted();
    const kind = kindOfKey(key);
    if (kind === undefined || cipher.secretOf(stored) === 0) continue;
    const plaintext = cipher.decrypt(key, stored);
    if (plaintext === undefined) {
      undecryptable.set(kind, (undecryptable.get(kind) ?? 0) + 1);
      continue;
    }
    batch.push({ key, stored, plaintext });
    if (batch.length < BATCH) continue;
    await writeBatch();
    await delay(pauseMs, undefined, { signal });
  }
  await writeBatch();
  return { reencrypted, undecryptable };

  async function writeBatch(): Promise<void> {
    const written = await Promise.all(batch.map(({ key, stored, plaintext }) => (
      store.compareAndSet(key, stored, cipher.encrypt(key, plaintext), 'keep')
    )));
    reencrypted += written.filter(Boolean).length;
    batch = [];
  }
}

export interface SecretRotationOptions {
  readonly store: Store;
  readonly cipher: RecordCipher;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Delay of the first run, in ms; ten minutes. During a rolling update, instances without the newest secret cannot read what
   *  it encrypts. */
  readonly startAfterMs?: number;
  /** Between runs while older secrets are configured, in ms; one hour. Such instances may still write under an older secret. */
  readonly repeatAfterMs?: number;
}

/** Re-encrypts records in the background and logs what cannot be decrypted. Disposing it stops it. */
export class SecretRotation implements AsyncDisposable {
  readonly #options: SecretRotationOptions;
  readonly #stop = new AbortController();
  readonly #stopped: Promise<void>;

  constructor(options: SecretRotationOptions) {
    this.#options = options;
    this.#stopped = this.#run().catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#stopped;
  }

  async #run(): Promise<void> {
    const { store, cipher, log, startAfterMs = 600_000, repeatAfterMs = 3_600_000 } = this.#options;
    const { signal } = this.#stop;
    await delay(startAfterMs, undefined, { signal, ref: false });
    for (let hasWarned = false; ;) {
      // Also fails if the store refuses to list its records.
      const result = await reencryptRecords(store, cipher, { signal }).catch((err: unknown) => {
        if (!signal.aborted) log.warn({ err, setting: 'VESTIBULE_STORE' }, 'records cannot be re-encrypted: keep the older cookie secrets');
        return undefined;
      });
      if (result && result.reencrypted > 0) log.info(`Records re-encrypted under the newest cookie secret: ${result.reencrypted}.`);
      if (result && result.undecryptable.size > 0 && !hasWarned) {
        log.warn(undecryptableWarning(result.undecryptable));
        hasWarned = true;
      }
      if (result && cipher.secretCount === 1) return;
      await delay(repeatAfterMs, undefined, { signal, ref: false });
    }
  }
}

/** For an operator; names kinds of records only. */
function undecryptableWarning(undecryptable: SecretCounts['undecryptable']): string {
  const kinds = [...undecryptable].map(([kind, count]) => `${kind}: ${count}`).join(', ');
  return `Some records cannot be decrypted by any of VESTIBULE_COOKIE_SECRETS (${kinds}). Add the missing secret at the end of the list.`;
}
