/** Body hashes as they come out of the usual mistakes (interface 5.1, steps 1 and 2), so that a difference has a name. */

import { hash } from 'node:crypto';
import { normalizeParams, percentEncode, type Param } from '../../signing/normalize-params.ts';

/** What went wrong, by the hash that it leads to. */
export function bodyHashMistakes(params: readonly Param[]): ReadonlyMap<string, string> {
  const right = normalizeParams(params);
  const join = (pairs: readonly (readonly [string, string])[], encode: (text: string) => string) => (
    pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  );
  const inOrder = params.toSorted((a, b) => Buffer.compare(Buffer.from(a.join('=')), Buffer.from(b.join('='))));
  const byPair = params.toSorted(([a, x], [b, y]) => (`${a}=${x}` < `${b}=${y}` ? -1 : 1));
  const byName = params.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const texts: readonly (readonly [mistake: string, text: string])[] = [
    ['a space is encoded as + and not as %20', right.replaceAll('%20', '+')],
    ['! \' ( ) * are left as they are, as encodeURIComponent does', join(inOrder, encodeURIComponent)],
    ['hexadecimal digits are in lower case', right.replace(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase())],
    ['the pairs are not sorted', join(params, percentEncode)],
    ['names are sorted without their values', join(byName, percentEncode)],
    ['pairs are encoded first and sorted then', right.split('&').sort().join('&')],
    ['pairs are sorted by UTF-16 units and not by the bytes of UTF-8', join(byPair, percentEncode)],
    ['they are encoded as a form is (URLSearchParams): a space as +, ~ as %7E, * not at all', formEncoded(inOrder)],
    ['nothing is encoded', join(inOrder, (text) => text)],
    ['the body is hashed as JSON', JSON.stringify(Object.fromEntries(params))],
    ['a newline stands at the end of the hashed text', `${right}\n`],
    ['nothing is hashed: the hash is of an empty text', ''],
  ];
  const base64 = (text: string) => hash('sha1', text, 'base64');
  return new Map([
    ...texts.map(([mistake, text]) => [base64(text), mistake] as const).reverse(),
    [hash('sha1', right, 'hex'), 'the digest is in hexadecimal and not in base64'],
    [hash('sha1', right, 'base64url'), 'the digest is in base64url or without its ='],
    [hash('sha256', right, 'base64'), 'the digest is SHA-256 and not SHA-1'],
    ['', 'it is left empty although there are parameters'],
  ]);
}

function formEncoded(params: readonly Param[]): string {
  return new URLSearchParams(params.map(([name, value]): [string, string] => [name, value])).toString();
}
