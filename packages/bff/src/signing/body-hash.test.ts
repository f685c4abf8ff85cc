import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { bodyHash } from './body-hash.ts';

describe('bodyHash', () => {
  it('is the SHA-1 of the normalized parameters, in base64', () => {
    assert.equal(bodyHash('forum=disqus&message=hello%20world'), 'mJjuD2APcHlxveLX6hQWVHQr/o0=');
    assert.equal(bodyHash(''), createHash('sha1').digest('base64'));
  });
});
