/** `Authorization` header of a signed request (interface 5.2). The scheme defines no escape, so a value that could break
 *  out of its quotes is refused. */

import { SigningError } from './signing-error.ts';

export interface MacAttributes {
  /** Public key. */
  readonly id: string;
  readonly nonce: string;
  /** Empty for a request without parameters. */
  readonly bodyHash: string;
  readonly mac: string;
  /** Only to authenticate a user. */
  readonly accessToken?: string | undefined;
}

/** Whether `text` can stand in a quoted attribute: printable ASCII without quotes and backslashes, not empty. */
export function isQuotable(text: string): boolean {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}

/** @throws {SigningError} names the attribute, never its value */
export function authorizationHeader({ id, nonce, bodyHash, mac, accessToken }: MacAttributes): string {
  const required = { id, nonce, mac, ...(accessToken !== undefined && { access_token: accessToken }) };
  for (const [name, text] of Object.entries(required)) {
    if (!isQuotable(text)) throw new SigningError(`${name} must be printable ASCII without quotes or backslashes, and not empty.`);
  }
  if (bodyHash !== '' && !isQuotable(bodyHash)) throw new SigningError('body-hash must be printable ASCII without quotes or backslashes.');
  const header = `MAC id="${id}", nonce="${nonce}", body-hash="${bodyHash}", mac="${mac}"`;
  return accessToken === undefined ? header : `${header}, access_token="${accessToken}"`;
}
