/**
 * Loaded into a BFF process with `--import`. Stops each sign-in at the next point of `STOP_POINTS`, so that a test can kill
 * the process there. Prints `{"stopped":"<point>"}` for each.
 * Send requests one at a time: the next one after the previous one has stopped.
 */

import { EncryptedCollection } from '../../packages/bff/src/store/encrypted-collection.ts';

const remaining = (process.env['STOP_POINTS'] ?? '').split(',').filter((point) => point !== '');

/** Never settles if `point` is the next stop. */
async function stopAt(point: string): Promise<void> {
  if (remaining[0] !== point) return;
  remaining.shift();
  process.stdout.write(`${JSON.stringify({ stopped: point })}\n`);
  await new Promise(() => undefined);
}

/** For `_stop-hooks.mjs`, which the BFF imports as another module instance. */
Object.assign(globalThis, { stopAt });

const { compareAndSet, put } = EncryptedCollection.prototype;

/** Point of a write: the state of a sign-in, or the spent mark of a code claim. */
function nameOf(record: unknown): string {
  const { state, spent } = record as { readonly state?: string; readonly spent?: boolean };
  return state ?? (spent === true ? 'spent' : 'other');
}

EncryptedCollection.prototype.compareAndSet = async function (...args) {
  const name = nameOf(args[2]);
  await stopAt(`before ${name}`);
  const found = await compareAndSet.apply(this, args);
  await stopAt(`after ${name}`);
  return found;
};

EncryptedCollection.prototype.put = async function (...args) {
  const record = args[1] as object;
  await put.apply(this, args);
  if ('form_version' in record) await stopAt('after the profile');
  if ('signedInAt' in record) await stopAt('after the session');
};
