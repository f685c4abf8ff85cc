/** Compares a signature with ours, using its nonce: finds the first step (interface 5.1) that differs, and common mistakes. */

import { bodyHash, normalizeParams, type Param } from '../../signing/normalize-params.ts';
import { computeMac, normalizedRequestString, portOf } from '../../signing/sign-request.ts';
import type { Keys } from './load-keys.ts';
import { bodyHashMistakes, findMacMistake } from './mistakes.ts';
import type { MacHeader } from './parse-mac-header.ts';

export interface ComparedRequest {
  readonly method: string;
  readonly url: URL;
  /** Of the body; `undefined` without a body. */
  readonly params: readonly Param[] | undefined;
}

export interface Mismatch {
  /** Of interface 5.1; 6 is the header. */
  readonly step: 2 | 3 | 4 | 5 | 6;
  readonly message: string;
}

/** Interface 5.1, step 3. */
export function isNonce(text: string): boolean {
  return /^\d+(?:\.\d+)?:[\x21-\x39\x3b-\x7e]{1,32}$/.test(text);
}

/** `undefined`: every step is equal. */
export function compareSignature({ method, url, params }: ComparedRequest, theirs: MacHeader, keys: Keys): Mismatch | undefined {
  const hash = params ? bodyHash(normalizeParams(params)) : '';
  if (theirs.bodyHash !== hash) return { step: 2, message: bodyHashMismatch(theirs.bodyHash, params) };
  if (!isNonce(theirs.nonce)) {
    return { step: 3, message: 'the nonce is not UNIX seconds, a colon and a token of 1 to 32 characters' };
  }
  const elements = {
    nonce: theirs.nonce,
    method: method.toUpperCase(),
    path: url.pathname + url.search,
    host: url.hostname,
    port: portOf(url),
    bodyHash: hash,
  };
  if (theirs.mac !== computeMac(normalizedRequestString(elements), keys.secretKey)) {
    return findMacMistake(theirs.mac, elements, keys) ?? {
      step: 5,
      message: 'the body hashes are equal, the MACs are not: another secret key, or another method, path, host or port in step 4',
    };
  }
  return theirs.id === keys.publicKey ? undefined : { step: 6, message: 'the id is another public key' };
}

function bodyHashMismatch(theirs: string, params: readonly Param[] | undefined): string {
  if (!params) return 'the request has no body, so the body hash must be empty';
  return bodyHashMistakes(params).get(theirs) ?? 'the parameters differ, or the body hash is not the base64 SHA-1 of step 1';
}
