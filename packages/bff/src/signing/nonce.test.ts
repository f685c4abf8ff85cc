import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createNonce, randomToken } from './sign-request.ts';
import { SigningError } from './normalize-params.ts';

const TOKENS = 20_000;

describe('createNonce', () => {
  it('is the time in seconds with its fraction, a colon and a token', () => {
    assert.equal(createNonce({ now: () => 1306976351260, randomToken: () => '289807' }), '1306976351.26:289807');
    assert.equal(createNonce({ now: () => 1306976351000, randomToken: () => 'x' }), '1306976351:x');
    assert.equal(createNonce({ now: () => 1306976351260.25, randomToken: () => 'x' }), '1306976351.26:x');
  });

  it('uses the present time and a random token by default', () => {
    const [, seconds = '', token = ''] = /^(\d+(?:\.\d+)?):(.+)$/.exec(createNonce()) ?? [];
    assert.ok(Math.abs(Number(seconds) - Date.now() / 1000) < 5);
    assert.match(token, /^[\w-]{24}$/);
  });

  it('refuses a token that is empty or longer than 32 characters', () => {
    for (const token of ['', 'x'.repeat(33)]) assert.throws(() => createNonce({ randomToken: () => token }), SigningError);
    assert.match(createNonce({ randomToken: () => 'x'.repeat(32) }), /:x{32}$/);
  });

  it('refuses a clock without a valid time', () => {
    for (const time of [Number.NaN, -1000, Infinity]) assert.throws(() => createNonce({ now: () => time }), SigningError);
  });

  it('never repeats, even if the clock stands still', () => {
    const nonces = new Set(Array.from({ length: TOKENS }, () => createNonce({ now: () => 0 })));
    assert.equal(nonces.size, TOKENS);
  });
});

describe('randomToken', () => {
  it('has 144 evenly distributed bits', () => {
    const counts = new Array<number>(144).fill(0);
    for (let i = 0; i < TOKENS; i += 1) {
      const bytes = Buffer.from(randomToken(), 'base64url');
      assert.equal(bytes.length, 18);
      for (let bit = 0; bit < 144; bit += 1) counts[bit]! += (bytes[bit >> 3]! >> (bit & 7)) & 1;
    }
    for (const count of counts) assert.ok(Math.abs(count - TOKENS / 2) < 8 * Math.sqrt(TOKENS / 4), `${count} of ${TOKENS}`);
  });

  it('does not repeat in another process', async () => {
    const script = `import { randomToken } from ${JSON.stringify(import.meta.resolve('./sign-request.ts'))};
      console.log(Array.from({ length: ${TOKENS} }, randomToken).join('\\n'));`;
    const draw = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { maxBuffer: 2 ** 22 });
    const outputs = await Promise.all([draw(), draw()]);
    const tokens = outputs.flatMap(({ stdout }) => stdout.trim().split('\n'));
    assert.equal(tokens.length, 2 * TOKENS);
    assert.equal(new Set(tokens).size, 2 * TOKENS);
  });
});
