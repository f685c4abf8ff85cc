/** Results of common signing mistakes (interface 5.1), so that a difference can be explained. */

import { createHmac, hash } from 'node:crypto';
import { normalizeParams, percentEncode, type Param } from '../../signing/normalize-params.ts';
import type { RequestElements } from '../../signing/sign-request.ts';
import type { Keys } from './load-keys.ts';

/** Mistakes of steps 1 and 2 by the body hash that they produce. */
export function bodyHashMistakes(params: readonly Param[]): ReadonlyMap<string, string> {
  const right = normalizeParams(params);
  const join = (pairs: readonly (readonly [string, string])[], encode: (text: string) => string) => (
    pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  );
  const sorted = params.toSorted((a, b) => Buffer.compare(Buffer.from(a.join('=')), Buffer.from(b.join('='))));
  const sortedByUtf16 = params.toSorted(([a, x], [b, y]) => (`${a}=${x}` < `${b}=${y}` ? -1 : 1));
  const sortedByName = params.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const texts: readonly (readonly [mistake: string, text: string])[] = [
    ['a space is encoded as + instead of %20', right.replaceAll('%20', '+')],
    ['! \' ( ) * are not encoded, as in encodeURIComponent', join(sorted, encodeURIComponent)],
    ['hexadecimal digits are in lower case', right.replace(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase())],
    ['the pairs are not sorted', join(params, percentEncode)],
    ['the pairs are sorted by name only, without the value', join(sortedByName, percentEncode)],
    ['the pairs are encoded before they are sorted', right.split('&').sort().join('&')],
    ['the pairs are sorted by UTF-16 code units instead of UTF-8 bytes', join(sortedByUtf16, percentEncode)],
    ['the pairs are encoded as a form (URLSearchParams): a space as +, ~ as %7E, * unencoded', formEncoded(sorted)],
    ['nothing is encoded', join(sorted, (text) => text)],
    ['the body is hashed as JSON', JSON.stringify(Object.fromEntries(params))],
    ['the hashed text ends in a newline', `${right}\n`],
    ['the hash is that of an empty text', ''],
  ];
  const base64 = (text: string) => hash('sha1', text, 'base64');
  return new Map([
    ...texts.map(([mistake, text]) => [base64(text), mistake] as const).reverse(),
    [hash('sha1', right, 'hex'), 'the digest is hexadecimal instead of base64'],
    [hash('sha1', right, 'base64url'), 'the digest is base64url, or lacks its ='],
    [hash('sha256', right, 'base64'), 'the digest is SHA-256 instead of SHA-1'],
    ['', 'it is empty although the request has parameters'],
  ]);
}

export interface MacMistake {
  readonly step: 4 | 5;
  readonly message: string;
}

/** The mistake of step 4 or 5 that produces `mac`; `undefined` if it is none of the common ones. */
export function findMacMistake(mac: string, elements: RequestElements, { publicKey, secretKey }: Keys): MacMistake | undefined {
  const right = requestString(elements);
  for (const [message, text] of wrongRequestStrings(elements)) {
    if (text !== right && hmac(text, secretKey) === mac) return { step: 4, message };
  }
  const macs: readonly (readonly [message: string, mac: string])[] = [
    ['the MAC is hexadecimal instead of base64', createHmac('sha1', secretKey).update(right).digest('hex')],
    ['the MAC is base64url, or lacks its =', createHmac('sha1', secretKey).update(right).digest('base64url')],
    ['the MAC is HMAC-SHA256 instead of HMAC-SHA1', createHmac('sha256', secretKey).update(right).digest('base64')],
    ['the key is decoded from hexadecimal; use its characters', hmac(right, Buffer.from(secretKey, 'hex'))],
    ['the key is decoded from base64; use its characters', hmac(right, Buffer.from(secretKey, 'base64'))],
    ['the key ends in a newline', hmac(right, `${secretKey}\n`)],
    ['the key is the public key', hmac(right, publicKey)],
  ];
  const message = macs.find(([, other]) => other === mac)?.[0];
  return message === undefined ? undefined : { step: 5, message };
}

function wrongRequestStrings(elements: RequestElements): readonly (readonly [message: string, text: string])[] {
  const { method, path, host, port, bodyHash } = elements;
  const right = requestString(elements);
  const other = (changes: Partial<RequestElements>) => requestString({ ...elements, ...changes });
  return [
    ['the newline after the empty extension is missing: each of the seven elements ends in a newline', right.slice(0, -1)],
    ['the last newlines are missing: each of the seven elements ends in a newline', right.slice(0, -2)],
    ['lines end in CR LF instead of LF', right.replaceAll('\n', '\r\n')],
    ['the method is in lower case', other({ method: method.toLowerCase() })],
    ['the port is 80 instead of the port of the URL or of its scheme', other({ port: '80' })],
    ['the port is 443 instead of the port of the URL or of its scheme', other({ port: '443' })],
    ['the port is empty instead of the port of the URL or of its scheme', other({ port: '' })],
    ['the host includes the port, which has its own line', other({ host: `${host}:${port}` })],
    ['the host is in upper case', other({ host: host.toUpperCase() })],
    ['the path is the complete URL', other({ path: `http${port === '443' ? 's' : ''}://${host}${path}` })],
    ['the path lacks its query', other({ path: path.replace(/\?.*$/, '') })],
    ['the path has an extra slash at the end', other({ path: `${path}/` })],
    ['the path lacks the slash at its end', other({ path: path.replace(/\/$/, '') })],
    ['the line of the body hash is empty', other({ bodyHash: '' })],
    ['the body hash is hexadecimal', other({ bodyHash: Buffer.from(bodyHash, 'base64').toString('hex') })],
  ];
}

function requestString({ nonce, method, path, host, port, bodyHash }: RequestElements): string {
  return `${[nonce, method, path, host, port, bodyHash, ''].join('\n')}\n`;
}

function hmac(text: string, key: string | Buffer): string {
  return createHmac('sha1', key).update(text).digest('base64');
}

function formEncoded(params: readonly Param[]): string {
  return new URLSearchParams(params.map(([name, value]): [string, string] => [name, value])).toString();
}
