import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseNewPost } from './parse-new-post.ts';

describe('parseNewPost', () => {
  it('gives forum and message as they came', () => {
    const message = ` \nünï ✓ 🦊 &=+%20 ~!*'()\u202e `;
    assert.deepEqual(parseNewPost({ forum: 'news', message }, 100), { forum: 'news', message });
  });

  it('counts code points', () => {
    assert.equal(parseNewPost({ forum: 'news', message: '🦊'.repeat(10) }, 10).message.length, 20);
    assert.throws(() => parseNewPost({ forum: 'news', message: '🦊'.repeat(11) }, 10), { type: 'message-too-long', detail: /10 characters/ });
    assert.throws(() => parseNewPost({ forum: 'news', message: 'x'.repeat(11) }, 10), { type: 'message-too-long' });
  });

  it('refuses a message of nothing visible', () => {
    for (const message of ['', ' \n\t', '\u200b\u2060', '\u00a0\u3000', '\0\x1b', '\u2800', '\ufe0f', '\u{e0001}']) {
      assert.throws(() => parseNewPost({ forum: 'news', message }, 100), { type: 'invalid-request' }, JSON.stringify(message));
    }
  });

  it('refuses missing, unknown and ill-formed members', () => {
    for (const body of [
      undefined, {}, { forum: 'news' }, { message: 'm' }, { forum: 'news', message: 5 }, { forum: 5, message: 'm' },
      { forum: 'news', message: 'm', user_id: '1' }, { forum: 'news', message: 'm\ud800' }, { forum: '\udfff', message: 'm' },
    ]) assert.throws(() => parseNewPost(body, 100), { type: 'invalid-request' }, JSON.stringify(body));
  });
});
