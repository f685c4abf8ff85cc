/** Whether the store opens, reads and writes; what it would lose; and which cookie secrets its records still need. */

import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { withDeadline } from '../../lib/time.ts';
import { openStore } from '../../store/open-store.ts';
import { RecordCipher } from '../../store/record-cipher.ts';
import { countBySecret } from '../../store/secret-rotation.ts';
import type { Store } from '../../store/store.ts';
import { findingsOf, type Finding } from './finding.ts';

const TIMEOUT_MS = 5_000;

export async function checkStore({ store: address, redisWaitReplicas, cookieSecrets }: Config): Promise<readonly Finding[]> {
  const { ok, warn, fail } = findingsOf('store');
  const warnings: string[] = [];
  const log = { info: () => undefined, warn: (message: string) => { warnings.push(message); } };
  try {
    await using store = await openStore(address, { log, waitReplicas: redisWaitReplicas });
    const ms = await withDeadline(TIMEOUT_MS, () => roundTrip(store), () => new Error('the store did not respond in time'));
    if (store.kind === 'memory') warnings.push('a memory store loses everything when the process ends: use sqlite: or a Redis');
    return [
      // The address of a Redis may contain a password.
      ok(`${address.startsWith('sqlite:') ? `sqlite at ${resolve(address.slice('sqlite:'.length))}` : store.kind}, written, read and deleted in ${ms.toFixed(1)} ms`),
      ...warnings.map(warn),
      ...await checkSecrets(store, cookieSecrets),
    ];
  } catch (error) {
    return [fail(`VESTIBULE_STORE: ${error instanceof Error ? error.message : 'the store cannot be opened'}`)];
  }
}

async function checkSecrets(store: Store, secrets: readonly string[]): Promise<readonly Finding[]> {
  const { ok, warn } = findingsOf('cookie secrets');
  const { bySecret, undecryptable } = await countBySecret(store, new RecordCipher(secrets));
  const older = bySecret.slice(1).map((records, i) => {
    const which = `secret ${i + 2} of ${bySecret.length}`;
    return records === 0
      ? ok(`${which}: no record needs it, so it can be removed once no process uses it as its newest`)
      : warn(`${which}: needed by ${records} records; keep it until the BFF has re-encrypted them, which it does while it runs`);
  });
  const lost = [...undecryptable].map(([kind, records]) => (
    warn(`${records} ${kind} records cannot be decrypted: add the missing secret at the end of VESTIBULE_COOKIE_SECRETS`)
  ));
  return [ok(`secret 1 of ${bySecret.length}: encrypts new records, needed by ${bySecret[0]}`), ...older, ...lost];
}

async function roundTrip(store: Store): Promise<number> {
  const began = performance.now();
  const key = `check:${randomUUID()}`;
  await store.set(key, 'check', 60_000);
  const found = await store.get(key);
  await store.delete(key);
  if (found?.value !== 'check') throw new Error('the store returned another value than was written');
  return performance.now() - began;
}
