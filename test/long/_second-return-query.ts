/** What the query of a return means, read anew: pairs by hand (WHATWG URL, 5.1), the rules from the contract. */

import type { ReturnQuery } from '../../packages/bff/src/sync/sync-return.ts';

const LIMITS = { code: 2048, username: 255, user_id: 255, audiencesync_uri: 4096 } as const;

/** `refused` where the product is to throw. */
export function readReturnQuery(query: string): ReturnQuery | undefined | 'refused' {
  const values = new Map<string, string[]>();
  for (const part of query.split('&')) {
    if (part === '') continue;
    const at = part.includes('=') ? part.indexOf('=') : part.length;
    const name = decode(part.slice(0, at));
    values.set(name, [...values.get(name) ?? [], decode(part.slice(at + 1))]);
  }
  const known = [...Object.keys(LIMITS), 'error', 'success'].filter((name) => values.has(name));
  if (known.length === 0) return undefined;
  if (known.some((name) => values.get(name)?.length !== 1)) return 'refused';
  const only = (name: string) => values.get(name)?.[0];
  if (known.includes('error')) return { kind: 'declined' };
  if (only('success') === '1' && !known.includes('code')) return { kind: 'already-granted' };
  for (const [name, limit] of Object.entries(LIMITS)) {
    const length = only(name)?.length ?? 0;
    if (length === 0 || length > limit) return 'refused';
  }
  const [code = '', username = '', user_id = '', audiencesync_uri = ''] = Object.keys(LIMITS).map(only);
  return { kind: 'granted', syncReturn: { code, username, user_id, audiencesync_uri } };
}

function decode(text: string): string {
  const bytes: number[] = [];
  const encoded = Buffer.from(text, 'utf8');
  for (let i = 0; i < encoded.length; i += 1) {
    const byte = encoded[i] as number;
    const hex = encoded.toString('latin1', i + 1, i + 3);
    if (byte === 0x25 && /^[\da-f]{2}$/i.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      i += 2;
    } else {
      bytes.push(byte === 0x2b ? 0x20 : byte);
    }
  }
  return Buffer.from(bytes).toString('utf8');
}
