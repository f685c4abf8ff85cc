/** Parses an `Authorization` header of the scheme MAC (interface 5.2) that another implementation made. */

export interface MacHeader {
  readonly id: string;
  readonly nonce: string;
  readonly bodyHash: string;
  readonly mac: string;
}

const ATTRIBUTE = /([a-z_-]{1,20})="([^"]{0,8192})"/g;

/** @returns a message if the header is malformed */
export function parseMacHeader(header: string): MacHeader | string {
  const [, attributes] = /^(?:Authorization:\s*)?MAC\s+(.*)$/is.exec(header.trim()) ?? [];
  if (attributes === undefined) return 'the header must start with MAC, such as MAC id="…", nonce="…", body-hash="…", mac="…"';
  const found = new Map([...attributes.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, value]));
  const missing = ['id', 'nonce', 'body-hash', 'mac'].filter((name) => !found.has(name));
  if (missing.length > 0) return `${missing.join(', ')} missing or not a quoted string`;
  const value = (name: string) => found.get(name) ?? '';
  return { id: value('id'), nonce: value('nonce'), bodyHash: value('body-hash'), mac: value('mac') };
}
