import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refusedOrigin } from '../http/origin-check.ts';
import { parseNewPost, parsePage } from './new-post.ts';

const origins = ['https://www.example.com', 'http://localhost:8000'];
const rules = { messageMaxLength: 100, origins };

describe('parseNewPost', () => {
  it('returns forum and message unchanged', () => {
    const message = ` \nünï ✓ 🦊 &=+%20 ~!*'()\u202e `;
    assert.deepEqual(parseNewPost({ forum: 'news', message }, rules), { forum: 'news', message });
  });

  it('returns the page', () => {
    const page = 'https://www.example.com/article?id=1';
    assert.deepEqual(parseNewPost({ forum: 'news', message: 'm', page }, rules), { forum: 'news', message: 'm', page });
  });

  it('counts code points', () => {
    const parse = (message: string) => parseNewPost({ forum: 'news', message }, { messageMaxLength: 10, origins });
    assert.equal(parse('🦊'.repeat(10)).message.length, 20);
    assert.throws(() => parse('🦊'.repeat(11)), { type: 'message-too-long', detail: /10 characters/ });
    assert.throws(() => parse('x'.repeat(11)), { type: 'message-too-long' });
  });

  it('refuses a message without visible text', () => {
    for (const message of ['', ' \n\t', '\u200b\u2060', '\u00a0\u3000', '\0\x1b', '\u2800', '\ufe0f', '\u{e0001}']) {
      assert.throws(() => parseNewPost({ forum: 'news', message }, rules), {
        type: 'invalid-request', detail: 'message must contain visible text.',
      }, JSON.stringify(message));
    }
  });

  it('refuses missing, unknown and ill-formed members', () => {
    for (const body of [
      undefined, {}, { forum: 'news' }, { message: 'm' }, { forum: 'news', message: 5 }, { forum: 5, message: 'm' },
      { forum: 'news', message: 'm', user_id: '1' }, { forum: 'news', message: 'm\ud800' }, { forum: '\udfff', message: 'm' },
      { forum: 'news', message: 'm', page: 5 }, { forum: 'news', message: 'm', page: null },
    ]) assert.throws(() => parseNewPost(body, rules), { type: 'invalid-request' }, JSON.stringify(body));
  });
});

describe('parsePage', () => {
  for (const page of ['https://www.example.com/', 'https://www.example.com/a?b=c&d', 'http://localhost:8000/%C3%A4', `https://www.example.com/${'x'.repeat(2_024)}`]) {
    it(`accepts ${page.slice(0, 40)}`, () => {
      assert.equal(parsePage(page, origins), page);
    });
  }

  it('normalizes the URL', () => {
    assert.equal(parsePage('HTTPS://WWW.EXAMPLE.COM:443/a/../ä', origins), 'https://www.example.com/%C3%A4');
  });

  for (const [reason, page] of [
    ['another origin', 'https://evil.example/'],
    ['another port', 'https://www.example.com:8443/'],
    ['another scheme of the host', 'http://www.example.com/'],
    ['a relative URL', '/article'],
    ['a scheme-relative URL', '//www.example.com/'],
    ['a script', 'javascript:alert(1)'],
    ['credentials', 'https://user@www.example.com/'],
    ['a password without a name', 'https://:secret@www.example.com/'],
    ['another scheme before the URL', 'blob:https://www.example.com/a'],
    ['credentials that look like the host', 'https://www.example.com@evil.example/'],
    ['a fragment', 'https://www.example.com/#x'],
    ['an empty fragment', 'https://www.example.com/#'],
    ['white space', ' https://www.example.com/'],
    ['a line break inside', 'https://www.example\n.com/'],
    ['a backslash', 'https://www.example.com\\a'],
    ['2,049 characters', `https://www.example.com/${'x'.repeat(2_025)}`],
    ['nothing', ''],
  ] as const) {
    it(`refuses ${reason}`, () => {
      assert.throws(() => parsePage(page, origins), { type: 'invalid-request', detail: /^page must be/ });
    });
  }

  it('names the attribute for a page that is no URL, and the setting for another origin', () => {
    const diagnosis = { reason: 'page is not an http or https URL', setting: 'the attribute page' };
    assert.throws(() => parsePage('/article', origins), { diagnosis });
    assert.throws(() => parsePage('https://evil.example/', origins), { diagnosis: refusedOrigin(new URL('https://evil.example/'), origins) });
  });
});
