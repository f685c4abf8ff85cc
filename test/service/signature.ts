/** The service's side of a signed request (interface, section 5). Independent of the product's signing code. */

import { createHash, createHmac } from 'node:crypto';

/** The attributes of the `MAC` scheme (interface 5.2). */
export interface MacHeader {
  readonly id: string;
  readonly nonce: string;
  readonly bodyHash: string;
  readonly mac: string;
  readonly accessToken?: string;
}

export interface SignedRequest {
  readonly method: string;
  /** Path and query as they stand in the request line. */
  readonly path: string;
  /** Without the port. */
  readonly host: string;
  readonly port: number | string;
  readonly nonce: string;
  /** `null` where the request has nothing to hash: the line of the body hash is empty then (MAC draft 00). */
  readonly params: readonly (readonly [string, string])[] | null;
  /** The secret key; its UTF-8 bytes key the HMAC. */
  readonly key: string;
}

/** The result of each step. */
export interface ExpectedMac {
  readonly normalized: string;
  readonly bodyHash: string;
  readonly requestString: string;
  readonly mac: string;
}

/** A header or a request that the interface does not allow. Names the rule, never the value. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

/** Reads an `Authorization` header of the scheme `MAC`, strictly: known attributes, each once, as quoted strings of printable
 *  ASCII, none but the body hash empty.
 *  @throws {SignatureError} */
export function parseMacHeader(header: string): MacHeader {
  if (!header.startsWith('MAC ')) throw new SignatureError('the scheme is not MAC');
  const attribute = /(id|nonce|body-hash|mac|access_token)="([ !\x23-\x5b\x5d-\x7e]*)"(, ?|$)/y;
  attribute.lastIndex = 'MAC '.length;
  const found = new Map<string, string>();
  for (let isLast = false; !isLast;) {
    const [, name, value, end] = attribute.exec(header) ?? [];
    if (name === undefined || value === undefined) throw new SignatureError('an attribute is unknown or malformed');
    if (found.has(name)) throw new SignatureError(`${name} is given twice`);
    if (value === '' && name !== 'body-hash') throw new SignatureError(`${name} is empty`);
    found.set(name, value);
    isLast = end === '';
  }
  const required = (name: string): string => {
    const value = found.get(name);
    if (value === undefined) throw new SignatureError(`${name} is missing`);
    return value;
  };
  const accessToken = found.get('access_token');
  return {
    id: required('id'), nonce: required('nonce'), bodyHash: required('body-hash'), mac: required('mac'),
    ...(accessToken !== undefined && { accessToken }),
  };
}

/** Computes each step as a client must (interface 5.1).
 *  @throws {SignatureError} on a parameter with a lone surrogate */
export function expectedMac({ method, path, host, port, nonce, params, key }: SignedRequest): ExpectedMac {
  const normalized = params === null ? '' : normalize(params);
  const bodyHash = params === null ? '' : createHash('sha1').update(normalized, 'ascii').digest('base64');
  const requestString = [nonce, method, path, host.toLowerCase(), String(port), bodyHash, ''].map((line) => `${line}\n`).join('');
  const mac = createHmac('sha1', key).update(requestString, 'utf8').digest('base64');
  return { normalized, bodyHash, requestString, mac };
}

/** Pairs are built, sorted as bytes of UTF-8, then encoded. */
function normalize(params: readonly (readonly [string, string])[]): string {
  return params
    .map(([name, value]) => ({ pair: bytesOf(`${name}=${value}`), encoded: `${percentEncode(name)}=${percentEncode(value)}` }))
    .sort((a, b) => Buffer.compare(a.pair, b.pair))
    .map(({ encoded }) => encoded)
    .join('&');
}

function bytesOf(text: string): Buffer {
  if (!text.isWellFormed()) throw new SignatureError('a parameter has a lone surrogate');
  return Buffer.from(text, 'utf8');
}

function percentEncode(text: string): string {
  return bytesOf(text).toString('latin1')
    .replace(/[^A-Za-z0-9._~-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

const NONCE = /^(\d{1,12}(?:\.\d{1,9})?):[!\x23-\x5b\x5d-\x7e]{1,32}$/;

/** How far the timestamp of a nonce may lie from the service's clock, on either side (interface, section 8). */
const NONCE_LIFETIME_SECONDS = 300;

/** Keeps used nonces while their timestamps are valid. */
export class NonceMemory {
  readonly #timestamps = new Map<string, number>();

  /** The fault of `nonce` at `nowSeconds`. Does not use it. */
  check(nonce: string, nowSeconds: number): 'malformed' | 'expired' | 'used' | undefined {
    const timestamp = NONCE.exec(nonce)?.[1];
    if (timestamp === undefined) return 'malformed';
    if (Math.abs(nowSeconds - Number(timestamp)) > NONCE_LIFETIME_SECONDS) return 'expired';
    return this.#timestamps.has(nonce) ? 'used' : undefined;
  }

  use(nonce: string, nowSeconds: number): void {
    for (const [old, timestamp] of this.#timestamps) {
      if (timestamp >= nowSeconds - NONCE_LIFETIME_SECONDS) break;
      this.#timestamps.delete(old);
    }
    this.#timestamps.set(nonce, Number.parseFloat(nonce));
  }
}
