/** The normalized request string (interface 5.1, step 4): seven elements, each ended by a newline, the last one empty. */

import { SigningError } from './signing-error.ts';

export interface RequestElements {
  readonly nonce: string;
  /** Any case. */
  readonly method: string;
  /** Request path, with the query where there is one. */
  readonly path: string;
  /** Any case, without the port. */
  readonly host: string;
  readonly port: string;
  /** Empty where there is nothing to hash. */
  readonly bodyHash: string;
}

/** What could end a line for somebody, or what no request line and no header can hold. */
const NOT_VISIBLE_ASCII = /[^\x21-\x7e]/;

/** @throws {SigningError} which names the element that could break out of its line, or is not ASCII, or is missing */
export function normalizedRequestString(elements: RequestElements): string {
  const { nonce, method, path, host, port, bodyHash } = elements;
  if (!isElement(nonce) || !isElement(method) || !isElement(path) || !isElement(host) || !isElement(port)
    || NOT_VISIBLE_ASCII.test(bodyHash)) throw refusalOf(elements);
  return `${nonce}\n${method.toUpperCase()}\n${path}\n${host.toLowerCase()}\n${port}\n${bodyHash}\n\n`;
}

function isElement(text: string): boolean {
  return text !== '' && !NOT_VISIBLE_ASCII.test(text);
}

function refusalOf({ nonce, method, path, host, port }: RequestElements): SigningError {
  const [name] = Object.entries({ nonce, method, path, host, port }).find(([, text]) => !isElement(text)) ?? ['body hash'];
  return new SigningError(`The ${name} of a request string must be visible ASCII${name === 'body hash' ? '' : ', and not empty'}.`);
}

/** The port of an address: as it stands there, or the scheme's own. @throws {SigningError} unless it is http or https */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): string {
  if (protocol !== 'https:' && protocol !== 'http:') throw new SigningError('The address of a signed request must be http or https.');
  return port || (protocol === 'https:' ? '443' : '80');
}
