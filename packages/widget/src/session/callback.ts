/** Callback parameters (interface 4.3) of a page's address. */

import type { SyncReturn } from '@vestibule/shared';
import { scriptAddress } from '../client/address.ts';

export type SyncCallback =
  /** All four parameters. Not trusted. */
  | { readonly kind: 'granted'; readonly syncReturn: SyncReturn }
  /** `error`: the reader's No; or one of `FAILURES`. */
  | { readonly kind: 'declined' | 'failed' }
  /** `success=1` without a code: access was granted on an earlier visit, and there is nothing to exchange. */
  | { readonly kind: 'already-granted' }
  /** Incomplete, or with a duplicate parameter. */
  | { readonly kind: 'invalid-return' };

const GRANT = ['code', 'username', 'user_id', 'audiencesync_uri'] as const;

/** Errors of an authorization response (RFC 6749, 4.1.2.1) that no reader caused. */
const FAILURES: readonly string[] = [
  'invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope', 'server_error', 'temporarily_unavailable',
];

const NAMES: readonly string[] = [...GRANT, 'error', 'success'];

/** Whether the address of an article has a callback. An article may have an `error`, `success` or `code` of its own: without the
 *  others, a denial is `error=access_denied`, an earlier grant `success=1` without a `code`. */
export function hasCallback({ search }: Pick<Location, 'search'>): boolean {
  const parameters = new URLSearchParams(search);
  return GRANT.every((name) => parameters.has(name)) || parameters.get('error') === 'access_denied' || isEarlierGrant(parameters);
}

/** Whether this is the page of the BFF at `base` for sign-ins. */
export function isSyncPage(base: URL): boolean {
  return location.href.startsWith(new URL('sync/', base).href);
}

/** Reads the callback of a page for sign-ins and removes it from the address and the history entry. Other parameters and the
 *  hash stay byte for byte. `undefined` without a callback. Never throws.
 *  @param base of the BFF: on its own page any `error` counts, on a publisher's `access_denied` alone */
export function takeCallback(location: Location, history: History, base: URL): SyncCallback | undefined {
  const parameters = new URLSearchParams(location.search);
  if (!isSyncPage(base) && parameters.get('error') !== 'access_denied') parameters.delete('error');
  if (!parameters.has('audiencesync_uri') && !parameters.has('error') && !isEarlierGrant(parameters)) return undefined;
  removeFromAddress(location, history, NAMES.filter((name) => parameters.has(name)));
  return readCallback(parameters);
}

/** Shared by the copies of the widget in a page: one may take the callback from the address, another define the form. */
const CAPTURED = Symbol.for('vestibule-callback');
const page = globalThis as { [CAPTURED]?: SyncCallback | undefined };

/** Removes the callback from the address now, for a form that has yet to load; returns what is captured. */
export function captureCallback(base = scriptAddress()): SyncCallback | undefined {
  return page[CAPTURED] ??= takeCallback(location, history, base);
}

/** The captured callback, else the one in the address; each only once. */
export function takeCapturedCallback(base: URL): SyncCallback | undefined {
  const callback = captureCallback(base);
  page[CAPTURED] = undefined;
  return callback;
}

function isEarlierGrant(parameters: URLSearchParams): boolean {
  return parameters.get('success') === '1' && !parameters.has('code');
}

function readCallback(parameters: URLSearchParams): SyncCallback {
  if (NAMES.some((name) => parameters.getAll(name).length > 1)) return { kind: 'invalid-return' };
  const error = parameters.get('error');
  if (error !== null) return { kind: FAILURES.includes(error) ? 'failed' : 'declined' };
  const [code, username, user_id, audiencesync_uri] = GRANT.map((name) => parameters.get(name));
  if (code && username && user_id && audiencesync_uri) {
    return { kind: 'granted', syncReturn: { code, username, user_id, audiencesync_uri } };
  }
  return { kind: isEarlierGrant(parameters) ? 'already-granted' : 'invalid-return' };
}

function removeFromAddress(location: Location, history: History, names: readonly string[]): void {
  const isOther = (pair: string) => !names.includes(new URLSearchParams(`&${pair}`).keys().next().value ?? '');
  const others = location.search.slice(1).split('&').filter(isOther);
  try {
    const url = new URL(location.href);
    url.search = others.join('&');
    history.replaceState(history.state, '', url.href);
  } catch {
    // A sandboxed or about:srcdoc document has no history entry to clean.
  }
}
