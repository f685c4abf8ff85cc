import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import cookieParser from 'cookie-parser';
import { createUnsign } from './unsign.ts';

const SECRETS = ['a-cookie-secret-of-thirty-two-by', 'b'.repeat(64), 'c'.repeat(65), 'ein schlüssel mit umlauten und mehr'];
const VALUES = ['value', '', '.', 'a.b', 'a=b', 's:nested', 'välue ✓🦊', 'x'.repeat(500)];

function sign(value: string, secret: string): string {
  return `s:${value}.${createHmac('sha256', secret).update(value).digest('base64').replace('=', '')}`;
}

/** A signed text and what is wrong with its neighbours. */
function variantsOf(signed: string): string[] {
  const last = signed.at(-1) as string;
  return [
    signed, signed.slice(2), `S${signed.slice(1)}`, `${signed}=`, `${signed} `, ` ${signed}`, signed.slice(0, -1), `${signed}.`,
    signed.slice(0, -1) + (last === 'A' ? 'B' : 'A'), signed.replace('.', ''), signed.replace('s:', 's:x'), signed.slice(0, signed.lastIndexOf('.') + 1),
  ];
}

describe('createUnsign', () => {
  it('gives the value of what is signed under the secret, and of nothing else', () => {
    for (const secret of SECRETS) {
      const unsign = createUnsign(secret);
      for (const value of VALUES) {
        assert.equal(unsign(sign(value, secret)), value);
        assert.equal(unsign(sign(value, `${secret.slice(1)}x`)), undefined);
      }
    }
  });

  it('agrees with cookie-parser on whatever it is given', () => {
    for (const secret of SECRETS) {
      const unsign = createUnsign(secret);
      for (const text of ['', 's', 's:', 's:.', '.', ...VALUES, ...VALUES.flatMap((value) => variantsOf(sign(value, secret)))]) {
        const theirs = cookieParser.signedCookie(text, secret);
        assert.equal(unsign(text), theirs === text || theirs === false ? undefined : theirs, text);
      }
    }
  });
});
