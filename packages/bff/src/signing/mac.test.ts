import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { computeMac, createMac } from './mac.ts';

const requestString = '1306976351.26:289807\nPOST\n/api/3.0/posts/create.json\ndisqus.com\n80\nmJjuD2APcHlxveLX6hQWVHQr/o0=\n\n';
const secretKey = '88bb61a451cf4796859df6f0eeec5249';
const mac = 'hJWV982J95kaQjNdiDyLAPUGHDs=';

describe('computeMac', () => {
  it("is the service's own example, under the key as text and as a KeyObject", () => {
    assert.equal(computeMac(requestString, secretKey), mac);
    assert.equal(computeMac(requestString, createSecretKey(secretKey, 'utf8')), mac);
  });

  it('takes the UTF-8 bytes of key and text', () => {
    assert.equal(computeMac('ü🦊', 'schlüssel'), createHmac('sha1', Buffer.from('schlüssel')).update(Buffer.from('ü🦊')).digest('base64'));
  });
});

describe('createMac', () => {
  it('computes one MAC after the other', () => {
    const compute = createMac(secretKey);
    assert.deepEqual([compute(requestString), compute('another'), compute(requestString)], [mac, computeMac('another', secretKey), mac]);
  });

  it('is HMAC-SHA1 for keys shorter than, as long as and longer than a block, and for texts of every length', () => {
    for (const length of [1, 20, 63, 64, 65, 200]) {
      const key = 'k'.repeat(length);
      const compute = createMac(key);
      for (const size of [0, 1, 54, 55, 63, 64, 1_000, 5_000]) {
        assert.equal(compute('m'.repeat(size)), createHmac('sha1', key).update('m'.repeat(size)).digest('base64'));
      }
    }
  });

  it('is HMAC-SHA1 for keys of every character, and for texts beyond ASCII', () => {
    for (const key of ['\0', '\x7f~6\\', '\x80', 'ÿ', 'schlüssel', '✓', '🦊', `${'k'.repeat(63)}ü`]) {
      assert.equal(createMac(key)('ü✓🦊\n'), createHmac('sha1', Buffer.from(key)).update('ü✓🦊\n').digest('base64'));
    }
  });
});
