import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMacHeader } from './parse-mac-header.ts';

const header = 'MAC id="a", nonce="1:b", body-hash="c=", mac="d=", access_token="e"';

describe('parseMacHeader', () => {
  it('parses a pasted header', () => {
    for (const pasted of [header, ` ${header}\n`, `Authorization: ${header}`, header.replaceAll(', ', ',\n   ')]) {
      assert.deepEqual(parseMacHeader(pasted), { id: 'a', nonce: '1:b', bodyHash: 'c=', mac: 'd=' });
    }
  });

  it('names what is missing', () => {
    assert.match(String(parseMacHeader('Bearer abc')), /start with MAC/);
    assert.match(String(parseMacHeader('MAC id="a", nonce=1:b, mac="d="')), /^nonce, body-hash missing/);
  });

  it('parses a long hostile header in bounded time', () => {
    const began = performance.now();
    parseMacHeader(`MAC ${'a="'.repeat(200_000)}`);
    parseMacHeader(`MAC ${'a'.repeat(1_000_000)}`);
    parseMacHeader(`MAC ${' '.repeat(1_000_000)}`);
    assert.ok(performance.now() - began < 1_000);
  });
});
