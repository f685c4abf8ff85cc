/** The hint of a session (`storage.ts`): whose it is, and when it is written. */

import { randomKey } from '../lib/random-key.ts';
import { hintKey, read, remove, write, type SessionHint } from './storage.ts';

/** How long a sign-in in another window takes at most: the default of `VESTIBULE_SYNC_SECONDS`. */
export const SIGN_IN_MS = 15 * 60_000;

/** The hint of the account that was signed in last and has not signed out; `undefined`: none, or the account is unknown. */
export function readSessionHint(bff: URL): Pick<SessionHint, 'account' | 'visit'> | undefined {
  const { account, visit } = read<SessionHint>(hintKey(bff.href)) ?? {};
  return account && visit ? { account, visit } : undefined;
}

/** Stores the hint that `account` is signed in to `bff`; keeps that of the same account. */
export function writeSessionHint(bff: URL, account: string): void {
  if (account === readSessionHint(bff)?.account) return;
  write(hintKey(bff.href), { account, visit: randomKey() } satisfies Partial<SessionHint>);
}

/** Nobody is signed in to `bff`, nor signing in. */
export function removeSessionHint(bff: URL): void {
  remove(hintKey(bff.href));
}

/** Stores the hint that a sign-in is in progress, with which it expires; keeps that of an account. */
export function writeSignInHint(bff: URL): void {
  if (readSessionHint(bff)) return;
  write(hintKey(bff.href), { until: Date.now() + SIGN_IN_MS } satisfies Partial<SessionHint>);
}

/** Removes the hint of a sign-in that has ended without a session. */
export function removeSignInHint(bff: URL): void {
  if (!readSessionHint(bff)) removeSessionHint(bff);
}
