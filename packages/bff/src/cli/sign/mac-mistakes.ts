/** MACs as they come out of the usual mistakes (interface 5.1, steps 4 and 5), so that a difference has a name. */

import { createHmac } from 'node:crypto';
import type { RequestElements } from '../../signing/request-string.ts';
import type { Keys } from './load-keys.ts';

/** The step and the mistake. */
export interface Mistake {
  readonly step: 4 | 5;
  readonly words: string;
}

/** The mistake that leads to `mac`; `undefined` where it is none of the usual ones. */
export function findMacMistake(mac: string, elements: RequestElements, { publicKey, secretKey }: Keys): Mistake | undefined {
  const right = stringOf(elements);
  for (const [words, text] of requestStrings(elements)) {
    if (text !== right && hmac(text, secretKey) === mac) return { step: 4, words };
  }
  const macs: readonly (readonly [words: string, mac: string])[] = [
    ['the MAC is in hexadecimal and not in base64', createHmac('sha1', secretKey).update(right).digest('hex')],
    ['the MAC is in base64url or without its =', createHmac('sha1', secretKey).update(right).digest('base64url')],
    ['the MAC is HMAC-SHA256 and not HMAC-SHA1', createHmac('sha256', secretKey).update(right).digest('base64')],
    ['the key is the bytes that its hexadecimal digits name: it must be its characters', hmac(right, Buffer.from(secretKey, 'hex'))],
    ['the key is decoded from base64: it must be its characters', hmac(right, Buffer.from(secretKey, 'base64'))],
    ['the key has a newline at its end', hmac(right, `${secretKey}\n`)],
    ['the key is the public key', hmac(right, publicKey)],
  ];
  const words = macs.find(([, other]) => other === mac)?.[0];
  return words === undefined ? undefined : { step: 5, words };
}

function requestStrings(elements: RequestElements): readonly (readonly [words: string, text: string])[] {
  const { method, path, host, port, bodyHash } = elements;
  const right = stringOf(elements);
  const other = (changed: Partial<RequestElements>) => stringOf({ ...elements, ...changed });
  return [
    ['the newline behind the empty extension is missing: seven elements, each with its newline', right.slice(0, -1)],
    ['the last newlines are missing: seven elements, each with its newline', right.slice(0, -2)],
    ['lines end in CR LF: a line feed alone ends an element', right.replaceAll('\n', '\r\n')],
    ['the method is in lower case', other({ method: method.toLowerCase() })],
    ['the port is 80: it is the one of the address, or the scheme\'s own', other({ port: '80' })],
    ['the port is 443: it is the one of the address, or the scheme\'s own', other({ port: '443' })],
    ['the port is empty: it is the one of the address, or the scheme\'s own', other({ port: '' })],
    ['the host carries the port: it stands in a line of its own', other({ host: `${host}:${port}` })],
    ['the host is in upper case', other({ host: host.toUpperCase() })],
    ['the path is the whole address', other({ path: `http${port === '443' ? 's' : ''}://${host}${path}` })],
    ['the path has lost its query', other({ path: path.replace(/\?.*$/, '') })],
    ['the path has a slash at its end', other({ path: `${path}/` })],
    ['the path has lost the slash at its end', other({ path: path.replace(/\/$/, '') })],
    ['the line of the body hash is empty', other({ bodyHash: '' })],
    ['the body hash stands there in hexadecimal', other({ bodyHash: Buffer.from(bodyHash, 'base64').toString('hex') })],
  ];
}

function stringOf({ nonce, method, path, host, port, bodyHash }: RequestElements): string {
  return `${[nonce, method, path, host, port, bodyHash, ''].join('\n')}\n`;
}

function hmac(text: string, key: string | Buffer): string {
  return createHmac('sha1', key).update(text).digest('base64');
}
