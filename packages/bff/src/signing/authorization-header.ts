/** The `Authorization` header (interface 5.2). A value that could break out of its quotes is refused, never escaped: the
 *  scheme has no escape that both sides agree on. */

import { SigningError } from './signing-error.ts';

export interface MacAttributes {
  /** The public key. */
  readonly id: string;
  readonly nonce: string;
  /** Empty where there is nothing to hash. */
  readonly bodyHash: string;
  readonly mac: string;
  /** Only where a user is authenticated. */
  readonly accessToken?: string | undefined;
}

/** Printable ASCII without the quote and the backslash. */
const QUOTABLE = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** @throws {SigningError} which names the attribute */
export function authorizationHeader(attributes: MacAttributes): string {
  const { id, nonce, bodyHash, mac, accessToken } = attributes;
  if (!isAttribute(id) || !isAttribute(nonce) || !isAttribute(mac) || !QUOTABLE.test(bodyHash)
    || (accessToken !== undefined && !isAttribute(accessToken))) throw refusalOf(attributes);
  const header = `MAC id="${id}", nonce="${nonce}", body-hash="${bodyHash}", mac="${mac}"`;
  return accessToken === undefined ? header : `${header}, access_token="${accessToken}"`;
}

function isAttribute(value: string): boolean {
  return value !== '' && QUOTABLE.test(value);
}

function refusalOf({ id, nonce, mac, accessToken }: MacAttributes): SigningError {
  const required = Object.entries({ id, nonce, mac, access_token: accessToken ?? 'none' });
  const [name] = required.find(([, value]) => !isAttribute(value)) ?? ['body-hash'];
  return new SigningError(`${name} must be printable ASCII without quotes or backslashes${name === 'body-hash' ? '' : ', and not empty'}.`);
}
