import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { completionUrl, parseCompletionUri } from './completion-url.ts';

const SERVICE = 'https://comments.example';
const GOOD = `${SERVICE}/audiencesync/complete/`;
const completion = { clientId: 'public-key', userId: '7', accessToken: 'token', success: true };

describe('parseCompletionUri', () => {
  it('takes the service\'s own completion endpoint, with or without a query', () => {
    for (const [text, href] of [
      [GOOD, GOOD], [`${GOOD}?flow=7&x=%20`, `${GOOD}?flow=7&x=%20`], [`${GOOD}?to=//evil.example`, `${GOOD}?to=//evil.example`],
      ['https://comments.example:443/audiencesync/complete/', GOOD], ['HTTPS://COMMENTS.EXAMPLE/audiencesync/complete/', GOOD],
    ] as const) assert.equal(parseCompletionUri(SERVICE, text).href, href);
  });

  it('takes it below the path and at the port of the base address', () => {
    const base = 'http://127.0.0.1:8080/base';
    assert.equal(parseCompletionUri(base, `${base}/audiencesync/complete/`).href, `${base}/audiencesync/complete/`);
    for (const text of ['http://127.0.0.1:8080/audiencesync/complete/', 'http://127.0.0.1/base/audiencesync/complete/', `${base}/base/audiencesync/complete/`]) {
      assert.throws(() => parseCompletionUri(base, text), { type: 'untrusted-completion-uri' }, text);
    }
  });

  for (const [trick, texts] of Object.entries({
    'another host': ['https://evil.example/audiencesync/complete/', 'https://comments.example.evil.example/audiencesync/complete/',
      'https://evil-comments.example/audiencesync/complete/', 'https://comments.example./audiencesync/complete/'],
    'another scheme': ['http://comments.example/audiencesync/complete/', 'javascript:alert(1)//comments.example/audiencesync/complete/',
      'data:text/html,https://comments.example/audiencesync/complete/', 'ftp://comments.example/audiencesync/complete/'],
    'another port': ['https://comments.example:8443/audiencesync/complete/', 'https://comments.example:80/audiencesync/complete/'],
    'another path': [SERVICE, `${SERVICE}/`, `${SERVICE}/audiencesync/complete`, `${GOOD}x`, `${SERVICE}//audiencesync/complete/`, `${SERVICE}/audiencesync/complete/..`,
      `${SERVICE}/Audiencesync/complete/`],
    'user info': ['https://evil.example@comments.example/audiencesync/complete/', 'https://u:p@comments.example/audiencesync/complete/',
      'https://comments.example@evil.example/audiencesync/complete/', 'https://:@comments.example/audiencesync/complete/'],
    'escapes and dots': [`${SERVICE}/audiencesync/%63omplete/`, `${SERVICE}/audiencesync/x/%2e%2e/complete/`, 'https://comments%2eexample/audiencesync/complete/'],
    'what parsers disagree on': [`${SERVICE}\\audiencesync\\complete\\`, `https:\\\\comments.example/audiencesync/complete/`, `${GOOD} `, ` ${GOOD}`, `${GOOD}\n`, `https://comm\tents.example/audiencesync/complete/`,
      `${GOOD}\0`, `${GOOD}?a=b c`, `${GOOD}?a=\\`, 'https://comments。example/audiencesync/complete/\u2028'],
    'a fragment': [`${GOOD}#x`, `${GOOD}?a#b`],
    'no address': ['', '/audiencesync/complete/', '//comments.example/audiencesync/complete/', 'nonsense', 'https://', 'https:///', '[object Object]'],
  })) {
    it(`refuses ${trick}`, () => {
      for (const text of texts) assert.throws(() => parseCompletionUri(SERVICE, text), { type: 'untrusted-completion-uri' }, JSON.stringify(text));
    });
  }

  it('lets nothing but that endpoint through', () => {
    const piece = fc.constantFrom('https:', 'http:', '//', '/', '\\', '@', ':', '.', '?', '#', '%2f', '%00', '\t', 'comments.example', 'evil.example', 'audiencesync/complete/', '443', ' ');
    fc.assert(fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      let url: URL;
      try {
        url = parseCompletionUri(SERVICE, pieces.join(''));
      } catch (error) {
        assert.equal((error as { type?: string }).type, 'untrusted-completion-uri');
        return;
      }
      assert.equal(url.origin + url.pathname, GOOD);
    }), { numRuns: 3000 });
  });
});

describe('completionUrl', () => {
  it('adds the four parameters', () => {
    assert.equal(completionUrl(new URL(GOOD), completion), `${GOOD}?client_id=public-key&user_id=7&access_token=token&success=1`);
    assert.equal(new URL(completionUrl(new URL(GOOD), { ...completion, success: false })).searchParams.get('success'), '0');
  });

  it('keeps the query that is there and doubles none of its own', () => {
    const url = new URL(completionUrl(new URL(`${GOOD}?flow=7&success=1&access_token=a&success=1&access_token=b&user_id=9`), { ...completion, success: false }));
    for (const [name, value] of Object.entries({ flow: '7', client_id: 'public-key', user_id: '7', access_token: 'token', success: '0' })) {
      assert.deepEqual(url.searchParams.getAll(name), [value], name);
    }
  });

  it('encodes what it adds', () => {
    const userId = `7&success=1#ü '"`;
    const url = new URL(completionUrl(new URL(GOOD), { ...completion, userId, success: false }));
    assert.equal(url.searchParams.get('user_id'), userId);
    assert.equal(url.searchParams.get('success'), '0');
    assert.equal(url.hash, '');
  });

  it('leaves what it was given alone', () => {
    const uri = new URL(GOOD);
    completionUrl(uri, completion);
    assert.equal(uri.href, GOOD);
  });
});
