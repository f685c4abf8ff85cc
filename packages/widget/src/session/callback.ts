/** Callback parameters (interface 4.3) of a page's address. */

import type { SyncReturn } from '@vestibule/shared';
import { GRANT, isEarlierGrant, NAMES, takeCapturedParameters, takeParameters } from './callback-address.ts';

export type SyncCallback =
  /** All four parameters. Not trusted. */
  | { readonly kind: 'granted'; readonly syncReturn: SyncReturn }
  /** `error`: the reader's No, or a failure of the service. */
  | { readonly kind: 'declined'; readonly error: string }
  /** `success=1` without a code: access was granted on an earlier visit, and there is nothing to exchange. */
  | { readonly kind: 'already-granted' }
  /** Incomplete, or with a duplicate parameter. */
  | { readonly kind: 'invalid-return' };

/** Whether the address of an article has a callback. An article may have an `error`, `success` or `code` of its own: without the
 *  others, a denial is `error=access_denied`, an earlier grant `success=1` without a `code`. */
export function hasCallback({ search }: Pick<Location, 'search'>): boolean {
  const parameters = new URLSearchParams(search);
  return GRANT.every((name) => parameters.has(name)) || parameters.get('error') === 'access_denied' || isEarlierGrant(parameters);
}

/** That of the address, which loses it. @param base of the BFF */
export function takeCallback(location: Location, history: History, base: URL): SyncCallback | undefined {
  return readCallback(takeParameters(location, history, base));
}

/** That which the script has taken from the address, else that of the address; each only once. @param base of the BFF */
export function takeCapturedCallback(base: URL): SyncCallback | undefined {
  return readCallback(takeCapturedParameters(base));
}

function readCallback(parameters: URLSearchParams | undefined): SyncCallback | undefined {
  if (!parameters) return undefined;
  if (NAMES.some((name) => parameters.getAll(name).length > 1)) return { kind: 'invalid-return' };
  const error = parameters.get('error');
  if (error !== null) return { kind: 'declined', error };
  const [code, username, user_id, audiencesync_uri] = GRANT.map((name) => parameters.get(name));
  if (code && username && user_id && audiencesync_uri) {
    return { kind: 'granted', syncReturn: { code, username, user_id, audiencesync_uri } };
  }
  return { kind: isEarlierGrant(parameters) ? 'already-granted' : 'invalid-return' };
}
