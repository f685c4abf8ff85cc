/** Callback parameters (interface 4.3) of a page's address. */

import type { SyncReturn } from '@vestibule/shared';

export type SyncCallback =
  /** All four parameters. Not trusted. */
  | { readonly kind: 'granted'; readonly syncReturn: SyncReturn }
  /** `error`, whatever its value. */
  | { readonly kind: 'denied' }
  /** `success=1` without a code: access was granted on an earlier visit, and there is nothing to exchange. */
  | { readonly kind: 'already-granted' }
  /** Incomplete, or with a duplicate parameter. */
  | { readonly kind: 'invalid' };

const GRANT = ['code', 'username', 'user_id', 'audiencesync_uri'] as const;

const NAMES: readonly string[] = [...GRANT, 'error', 'success'];

/** Whether the address has all four parameters of a granted callback. */
export function hasCallback({ search }: Pick<Location, 'search'>): boolean {
  const parameters = new URLSearchParams(search);
  return GRANT.every((name) => parameters.has(name));
}

/** Reads the callback and removes it from the address and the history entry. Other parameters and the hash stay byte for byte.
 *  `undefined` without a callback. Never throws. */
export function takeCallback(location: Location, history: History): SyncCallback | undefined {
  const parameters = new URLSearchParams(location.search);
  if (!isCallback(parameters)) return undefined;
  removeFromAddress(location, history);
  return readCallback(parameters);
}

function isCallback(parameters: URLSearchParams): boolean {
  return ['code', 'audiencesync_uri', 'error'].some((name) => parameters.has(name)) || parameters.get('success') === '1';
}

function readCallback(parameters: URLSearchParams): SyncCallback {
  if (NAMES.some((name) => parameters.getAll(name).length > 1)) return { kind: 'invalid' };
  if (parameters.has('error')) return { kind: 'denied' };
  const [code, username, user_id, audiencesync_uri] = GRANT.map((name) => parameters.get(name));
  if (code && username && user_id && audiencesync_uri) {
    return { kind: 'granted', syncReturn: { code, username, user_id, audiencesync_uri } };
  }
  return { kind: !parameters.has('code') && parameters.get('success') === '1' ? 'already-granted' : 'invalid' };
}

function removeFromAddress(location: Location, history: History): void {
  const isOther = (pair: string) => !NAMES.includes(new URLSearchParams(`&${pair}`).keys().next().value ?? '');
  const others = location.search.slice(1).split('&').filter(isOther);
  try {
    const url = new URL(location.href);
    url.search = others.join('&');
    history.replaceState(history.state, '', url);
  } catch {
    // A sandboxed or about:srcdoc document has no history entry to clean.
  }
}
