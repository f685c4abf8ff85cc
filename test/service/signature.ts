/** The service's side of a signed request (interface section 5): reads the `Authorization` header and computes the MAC
 *  that it must carry. Independent of the product's signing code. Does not check the nonce: `nonce-memory.ts` does. */

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
  /** `null` where the request has nothing to hash: the body hash's line is left empty then (MAC draft 00). */
  readonly params: readonly (readonly [string, string])[] | null;
  /** The secret key; its UTF-8 bytes key the HMAC. */
  readonly key: string;
}

/** The result of each step, for error messages. */
export interface ExpectedMac {
  readonly normalized: string;
  readonly bodyHash: string;
  readonly requestString: string;
  readonly mac: string;
}

/** A header or a request that the interface does not allow. Says which rule, never the value. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

const REQUIRED_ATTRIBUTES = ['id', 'nonce', 'body-hash', 'mac'];
const ATTRIBUTES = new Set([...REQUIRED_ATTRIBUTES, 'access_token']);

/** Reads an `Authorization` header of the scheme `MAC`. Throws SignatureError on anything else: another scheme, an
 *  unknown, missing, empty or repeated attribute (an empty body hash is that of a request without a body), an unquoted value,
 *  a byte outside printable ASCII. */
export function parseMacHeader(header: string): MacHeader {
  if (!header.startsWith('MAC ')) throw new SignatureError('the scheme is not MAC');
  const found = new Map<string, string>();
  let at = 'MAC '.length;
  for (;;) {
    const equals = header.indexOf('="', at);
    const end = equals < 0 ? -1 : header.indexOf('"', equals + 2);
    if (end < 0) throw new SignatureError('an attribute is not name="value"');
    const name = header.slice(at, equals);
    if (!ATTRIBUTES.has(name)) throw new SignatureError('an attribute is not of this scheme');
    if (found.has(name)) throw new SignatureError(`${name} is given twice`);
    found.set(name, readValue(name, header.slice(equals + 2, end)));
    at = end + 1;
    if (at === header.length) break;
    if (header[at] !== ',') throw new SignatureError('attributes are not separated by a comma');
    at += header[at + 1] === ' ' ? 2 : 1;
  }
  const [id, nonce, bodyHash, mac] = REQUIRED_ATTRIBUTES.map((name) => {
    const value = found.get(name);
    if (value === undefined) throw new SignatureError(`${name} is missing`);
    return value;
  }) as [string, string, string, string];
  const accessToken = found.get('access_token');
  return { id, nonce, bodyHash, mac, ...(accessToken === undefined ? {} : { accessToken }) };
}

function readValue(name: string, value: string): string {
  if (value.length === 0 && name !== 'body-hash') throw new SignatureError(`${name} is empty`);
  for (let i = 0; i < value.length; i += 1) {
    const unit = value.charCodeAt(i);
    if (unit < 0x20 || unit > 0x7e || unit === 0x5c) throw new SignatureError(`${name} is not a plain quoted string`);
  }
  return value;
}

/** Computes each step as a client must. Throws SignatureError on a parameter with a lone surrogate. */
export function expectedMac({ method, path, host, port, nonce, params, key }: SignedRequest): ExpectedMac {
  const normalized = params === null ? '' : normalize(params);
  const bodyHash = params === null ? '' : createHash('sha1').update(normalized, 'ascii').digest('base64');
  const requestString = [nonce, method, path, host.toLowerCase(), String(port), bodyHash, '']
    .map((element) => `${element}\n`).join('');
  const mac = createHmac('sha1', key).update(requestString, 'utf8').digest('base64');
  return { normalized, bodyHash, requestString, mac };
}

/** Pairs are built, sorted as bytes of UTF-8, then encoded (interface 5.1, step 1). */
function normalize(params: readonly (readonly [string, string])[]): string {
  return params
    .map(([name, value]) => ({ name: bytesOf(name), value: bytesOf(value) }))
    .map(({ name, value }) => ({ name, value, pair: Buffer.concat([name, Buffer.of(0x3d), value]) }))
    .sort((a, b) => Buffer.compare(a.pair, b.pair))
    .map(({ name, value }) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join('&');
}

function bytesOf(text: string): Buffer {
  if (!text.isWellFormed()) throw new SignatureError('a parameter has a lone surrogate');
  return Buffer.from(text, 'utf8');
}

const UNRESERVED = new Set(Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~', 'ascii'));

const ENCODED_BYTES = Array.from({ length: 256 }, (_, byte) =>
  UNRESERVED.has(byte) ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`);

function percentEncode(bytes: Buffer): string {
  let text = '';
  for (const byte of bytes) text += ENCODED_BYTES[byte];
  return text;
}
