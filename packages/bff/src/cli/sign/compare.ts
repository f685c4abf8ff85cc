/** At which step another's signature of the same request parts ways with ours, and where the difference is one of the
 *  usual mistakes, which. The other's nonce is taken over, so that everything behind it can be compared. */

import { bodyHash, normalizeParams, type Param } from '../../signing/normalize-params.ts';
import { computeMac, normalizedRequestString, portOf } from '../../signing/request-string.ts';
import { bodyHashMistakes } from './body-hash-mistakes.ts';
import type { Keys } from './load-keys.ts';
import { findMacMistake } from './mac-mistakes.ts';
import type { MacHeader } from './parse-mac-header.ts';

export interface ComparedRequest {
  readonly method: string;
  readonly url: URL;
  /** Of the body; `undefined` where there is none. */
  readonly params: readonly Param[] | undefined;
}

export interface Parting {
  /** Of interface 5.1; 6 is the header. */
  readonly step: 2 | 3 | 4 | 5 | 6;
  readonly words: string;
}

/** Interface 5.1, step 3. */
export function isNonce(text: string): boolean {
  return /^\d+(?:\.\d+)?:[\x21-\x39\x3b-\x7e]{1,32}$/.test(text);
}

/** `undefined` where the two agree in every step. */
export function compareSignature({ method, url, params }: ComparedRequest, theirs: MacHeader, keys: Keys): Parting | undefined {
  const hash = params ? bodyHash(normalizeParams(params)) : '';
  if (theirs.bodyHash !== hash) return { step: 2, words: bodyHashParting(theirs.bodyHash, params) };
  if (!isNonce(theirs.nonce)) {
    return { step: 3, words: 'the nonce is not UNIX seconds, a colon and a token of 1 to 32 characters' };
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
      words: 'the body hashes agree and the MACs do not: another secret key, or another idea of method, path, host or port (see step 4)',
    };
  }
  return theirs.id === keys.publicKey ? undefined : { step: 6, words: 'the id is another public key' };
}

function bodyHashParting(theirs: string, params: readonly Param[] | undefined): string {
  if (!params) return 'the request has no body, so the body hash is left empty';
  return bodyHashMistakes(params).get(theirs) ?? 'the parameters are others, or the body hash is not the base64 of the SHA-1 of step 1';
}
