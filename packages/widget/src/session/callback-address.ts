/** Takes callback parameters (interface 4.3) out of a page's address; `callback.ts` reads them. */

import { scriptAddress } from '../client/address.ts';

export const GRANT = ['code', 'username', 'user_id', 'audiencesync_uri'] as const;

export const NAMES: readonly string[] = [...GRANT, 'error', 'success'];

/** Whether this is the page of the BFF at `base` for sign-ins. */
export function isSyncPage(base: URL): boolean {
  return location.href.startsWith(new URL('sync/', base).href);
}

/** Access was granted on an earlier visit, and there is nothing to exchange. */
export function isEarlierGrant(parameters: URLSearchParams): boolean {
  return parameters.get('success') === '1' && !parameters.has('code');
}

/** Removes the callback of a page for sign-ins from the address and the history entry. Other parameters and the hash stay byte
 *  for byte. `undefined` without a callback. Never throws.
 *  @param base of the BFF: on its own page any `error` counts, on a publisher's `access_denied` alone */
export function takeParameters(location: Location, history: History, base: URL): URLSearchParams | undefined {
  const parameters = new URLSearchParams(location.search);
  if (!isSyncPage(base) && parameters.get('error') !== 'access_denied') parameters.delete('error');
  if (!parameters.has('audiencesync_uri') && !parameters.has('error') && !isEarlierGrant(parameters)) return undefined;
  const names = NAMES.filter((name) => parameters.has(name));
  const isOther = (pair: string) => !names.includes(new URLSearchParams(`&${pair}`).keys().next().value ?? '');
  const others = location.search.slice(1).split('&').filter(isOther);
  try {
    const url = new URL(location.href);
    url.search = others.join('&');
    history.replaceState(history.state, '', url.href);
  } catch {
    // A sandboxed or about:srcdoc document has no history entry to clean.
  }
  return parameters;
}

/** Shared by the copies of the widget in a page: one may take the callback from the address, another define the form. */
const CAPTURED = Symbol.for('vestibule-callback');
const page = globalThis as { [CAPTURED]?: URLSearchParams | undefined };

/** Removes the callback from the address now, for a form that has yet to load; returns what is captured. */
export function captureParameters(base = scriptAddress()): URLSearchParams | undefined {
  return page[CAPTURED] ??= takeParameters(location, history, base);
}

/** What is captured, else what is in the address; each only once. */
export function takeCapturedParameters(base: URL): URLSearchParams | undefined {
  const parameters = captureParameters(base);
  page[CAPTURED] = undefined;
  return parameters;
}
