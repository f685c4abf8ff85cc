/** Signs a request (interface, section 5): normalized parameters and their hash, nonce, normalized request string, MAC,
 *  `Authorization` header, in this order. The normalized parameters are also the body that is sent: the service hashes the same
 *  bytes. */

import { createHmac, createSecretKey, hash, randomBytes, type KeyObject } from 'node:crypto';
import type { Clock } from '../lib/time.ts';

/** Keys of the publisher, with the source of nonces. */
export interface Credentials extends NonceSource {
  readonly publicKey: string;
  readonly secretKey: string;
}

/** A request to sign. */
export interface SignableRequest {
  readonly method: string;
  readonly url: URL;
  /** Body parameters; `undefined` for a request without a body (its body hash is empty). */
  readonly params?: Iterable<Param> | undefined;
  /** Access token of the user on whose behalf the request is made. */
  readonly accessToken?: string | undefined;
}

/** Header and body to send, and the result of each step. */
export interface SignedRequest {
  readonly authorization: string;
  /** The normalized parameters; `undefined` for a request without a body. */
  readonly body: string | undefined;
  readonly nonce: string;
  /** Empty for a request without parameters. */
  readonly bodyHash: string;
  readonly requestString: string;
  readonly mac: string;
}

/** Signs requests. Keeps the secret key in a `KeyObject`, out of reach of `inspect` and JSON.
 *  @throws {SigningError} for an empty key */
export function createSigner({ publicKey, secretKey, ...nonceSource }: Credentials) {
  if (secretKey === '') throw new SigningError('The secret key must not be empty.');
  const key = createSecretKey(secretKey, 'utf8');
  return {
    /** Call it when the request is sent, anew for each attempt. @throws {SigningError} */
    sign({ method, url, params, accessToken }: SignableRequest): SignedRequest {
      const nonce = createNonce(nonceSource);
      const body = params && normalizeParams(params);
      const hashOfBody = body === undefined ? '' : bodyHash(body);
      const { pathname, search, hostname: host, protocol } = url;
      if (protocol !== 'https:' && protocol !== 'http:') throw new SigningError('The URL of a request must be http or https.');
      const port = url.port || (protocol === 'https:' ? '443' : '80');
      const requestString = normalizedRequestString({ nonce, method, path: pathname + search, host, port, bodyHash: hashOfBody });
      const mac = computeMac(requestString, key);
      const authorization = authorizationHeader({ id: publicKey, nonce, bodyHash: hashOfBody, mac, accessToken });
      return { authorization, body, nonce, bodyHash: hashOfBody, requestString, mac };
    },
  };
}

/** Clock and randomness of nonces. */
export interface NonceSource {
  /** Milliseconds since the UNIX epoch. Default: `Date.now`. */
  readonly now?: Clock;
  /** 1 to 32 characters, different at each call. Default: 144 random bits. */
  readonly randomToken?: () => string;
}

/** Nonce of one request: UNIX seconds, a colon, a random token.
 *  @throws {SigningError} for a token that is not 1 to 32 characters */
export function createNonce({ now = Date.now, randomToken }: NonceSource = {}): string {
  const token = randomToken?.() ?? randomBytes(18).toString('base64url');
  if (token.length < 1 || token.length > 32) throw new SigningError('The token of a nonce must be 1 to 32 characters long.');
  return `${Math.round(now()) / 1000}:${token}`;
}

/** Elements of the normalized request string. */
export interface RequestElements extends Pick<SignedRequest, 'nonce' | 'bodyHash'> {
  /** Any case. */
  readonly method: string;
  /** Request path with its query, if any. */
  readonly path: string;
  /** Any case, without the port. */
  readonly host: string;
  readonly port: string;
}

/** Seven elements, each terminated by a newline; the extension, the last one, is empty.
 *  @throws {SigningError} names the element that is empty, not ASCII, or could break out of its line */
export function normalizedRequestString({ nonce, method, path, host, port, bodyHash }: RequestElements): string {
  for (const [name, text] of Object.entries({ nonce, method, path, host, port, 'body hash': bodyHash })) {
    if (!/^[\x21-\x7e]*$/.test(text)) throw new SigningError(`The ${name} of a request string must be visible ASCII.`);
    if (text === '' && name !== 'body hash') throw new SigningError(`The ${name} of a request string must not be empty.`);
  }
  return `${nonce}\n${method.toUpperCase()}\n${path}\n${host.toLowerCase()}\n${port}\n${bodyHash}\n\n`;
}

/** HMAC-SHA1 of a request string, base64. @param key the secret key; of a string, its UTF-8 bytes */
export function computeMac(requestString: string, key: KeyObject | string): string {
  return createHmac('sha1', key).update(requestString).digest('base64');
}

/** Attributes of the `Authorization` header. */
export interface MacAttributes extends Pick<SignedRequest, 'nonce' | 'bodyHash' | 'mac'>, Pick<SignableRequest, 'accessToken'> {
  readonly id: string;
}

/** Whether `text` can stand in a quoted attribute: printable ASCII without quotes and backslashes, not empty. */
export function isQuotable(text: string): boolean {
  return /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/.test(text);
}

/** The value of `Authorization`. @throws {SigningError} names the attribute, never its value */
export function authorizationHeader({ id, nonce, bodyHash, mac, accessToken }: MacAttributes): string {
  const attributes = { id, nonce, 'body-hash': bodyHash, mac, ...(accessToken !== undefined && { access_token: accessToken }) };
  return `MAC ${Object.entries(attributes).map(([name, text]) => {
    const isEmptyHash = name === 'body-hash' && text === '';
    if (!isEmptyHash && !isQuotable(text)) throw new SigningError(`${name} must be printable ASCII, no quotes or backslashes.`);
    return `${name}="${text}"`;
  }).join(', ')}`;
}

/** Name and value of a parameter. */
export type Param = readonly [name: string, value: string];

/** Builds `name=value` pairs, sorts them by the bytes of their UTF-8 form, encodes them and joins them with `&`.
 *  @throws {SigningError} for a lone surrogate or a value that is not a string; names the parameter's position in `params` */
export function normalizeParams(params: Iterable<Param>): string {
  return Array.from(params, ([name, value], index) => {
    if (!isText(name) || !isText(value)) throw new SigningError(`Parameter ${index + 1} must be text without a lone surrogate.`);
    return { bytes: Buffer.from(`${name}=${value}`), encoded: `${percentEncode(name)}=${percentEncode(value)}` };
  }).sort((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ encoded }) => encoded).join('&');
}

/** RFC 3986: keeps `A-Z a-z 0-9 - . _ ~` and encodes every other byte of the UTF-8 form in upper-case hex.
 *  @throws {SigningError} for a lone surrogate, which has no UTF-8 form */
export function percentEncode(text: string): string {
  if (!isText(text)) throw new SigningError('The text must have no lone surrogate.');
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Base64 of the SHA-1 of the normalized parameters. */
export function bodyHash(normalized: string): string {
  return hash('sha1', normalized, 'base64');
}

function isText(text: unknown): boolean {
  return typeof text === 'string' && text.isWellFormed();
}

/** The request cannot be signed. The message names the part and the rule, never the value. */
export class SigningError extends TypeError {
  override readonly name = 'SigningError';
}
