import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { authorizeUrl, completionUrl, parseCompletionUri } from './sign-in-urls.ts';

describe('authorizeUrl', () => {
  it('carries exactly the four parameters, the redirect URI as registered', () => {
    const redirectUri = 'https://www.example.com/return?verify=1&x=%7E+ü';
    const url = new URL(authorizeUrl({ serviceUrl: 'https://comments.example/base', publicKey: 'key', redirectUri }, 'news'));
    assert.equal(url.origin + url.pathname, 'https://comments.example/base/api/oauth/2.0/authorize/');
    assert.deepEqual([...url.searchParams], [
      ['client_id', 'key'], ['response_type', 'audiencesync'], ['forum_id', 'news'], ['redirect_uri', redirectUri],
    ]);
  });
});

const SERVICE = 'https://comments.example';
const GOOD = `${SERVICE}/audiencesync/complete/`;
const completion = { clientId: 'public-key', userId: '7', accessToken: 'token', success: true };

describe('parseCompletionUri', () => {
  it('accepts the completion endpoint of the service, with or without a query, and returns it unchanged', () => {
    for (const text of [
      GOOD, `${GOOD}?`, `${GOOD}?flow=7&x=%20`, `${GOOD}?to=//evil.example`, `${GOOD}?flag&a=~&b=%FF&c=%e2`,
      'https://comments.example:443/audiencesync/complete/', 'HTTPS://COMMENTS.EXAMPLE/audiencesync/complete/',
    ]) assert.equal(parseCompletionUri(SERVICE, text), text);
  });

  for (const path of ['/a%20b', '/@pub', '/.well', '/x/.y/%7Ez', '/a.b', '/a;b=c', '/ü']) {
    it(`accepts it below a base address with the path ${path}`, () => {
      const base = new URL(`https://comments.example${path}`).href;
      const text = `${base}/audiencesync/complete/?flow=7`;
      assert.equal(parseCompletionUri(base, text), text);
      for (const other of [GOOD, `${SERVICE}/x/audiencesync/complete/`, `https://evil.example/audiencesync/complete/?${text}`]) {
        assert.throws(() => parseCompletionUri(base, other), { type: 'untrusted-completion-uri' });
      }
    });
  }

  it('accepts it only below the path and at the port of the base address', () => {
    const base = 'http://127.0.0.1:8080/base';
    assert.equal(parseCompletionUri(base, `${base}/audiencesync/complete/`), `${base}/audiencesync/complete/`);
    for (const text of ['http://127.0.0.1:8080/audiencesync/complete/', 'http://127.0.0.1/base/audiencesync/complete/', `${base}/base/audiencesync/complete/`]) {
      assert.throws(() => parseCompletionUri(base, text), { type: 'untrusted-completion-uri' }, text);
    }
  });

  for (const [trick, texts] of Object.entries({
    'another host': ['https://evil.example/audiencesync/complete/', 'https://comments.example.evil.example/audiencesync/complete/',
      'https://evil-comments.example/audiencesync/complete/', 'https://comments.example./audiencesync/complete/',
      'https://[/audiencesync/complete/', 'https://a:b:c/audiencesync/complete/'],
    'another scheme': ['http://comments.example/audiencesync/complete/', 'javascript:alert(1)//comments.example/audiencesync/complete/',
      'data:text/html,https://comments.example/audiencesync/complete/', 'ftp://comments.example/audiencesync/complete/',
      'blob:https://comments.example/audiencesync/complete/'],
    'another port': ['https://comments.example:8443/audiencesync/complete/', 'https://comments.example:80/audiencesync/complete/'],
    'another path': [SERVICE, `${SERVICE}/`, `${SERVICE}/audiencesync/complete`, `${GOOD}x`, `${SERVICE}//audiencesync/complete/`, `${SERVICE}/audiencesync/complete/..`,
      `${SERVICE}/Audiencesync/complete/`],
    'user info': ['https://evil.example@comments.example/audiencesync/complete/', 'https://u:p@comments.example/audiencesync/complete/',
      'https://comments.example@evil.example/audiencesync/complete/', 'https://:@comments.example/audiencesync/complete/'],
    'escapes and dots': [`${SERVICE}/audiencesync/%63omplete/`, `${SERVICE}/audiencesync/x/%2e%2e/complete/`, 'https://comments%2eexample/audiencesync/complete/'],
    'characters on which parsers disagree': [`${SERVICE}\\audiencesync\\complete\\`, `https:\\\\comments.example/audiencesync/complete/`, `${GOOD} `, ` ${GOOD}`, `${GOOD}\n`, `https://comm\tents.example/audiencesync/complete/`,
      `${GOOD}\0`, `${GOOD}?a=b c`, `${GOOD}?a=\\`, 'https://comments。example/audiencesync/complete/\u2028'],
    'a fragment': [`${GOOD}#x`, `${GOOD}?a#b`],
    'text that is no URL': ['', '/audiencesync/complete/', '//comments.example/audiencesync/complete/', 'nonsense', 'https://', 'https:///', '[object Object]'],
  })) {
    it(`refuses ${trick}`, () => {
      for (const text of texts) assert.throws(() => parseCompletionUri(SERVICE, text), { type: 'untrusted-completion-uri' }, JSON.stringify(text));
    });
  }

  it('accepts nothing but that endpoint', () => {
    const piece = fc.constantFrom('https:', 'http:', '//', '/', '\\', '@', ':', '.', '?', '#', '%2f', '%00', '\t', 'comments.example', 'evil.example', 'audiencesync/complete/', '443', ' ');
    fc.assert(fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
      let text: string;
      try {
        text = parseCompletionUri(SERVICE, pieces.join(''));
      } catch (error) {
        assert.equal((error as { type?: string }).type, 'untrusted-completion-uri');
        return;
      }
      const { origin, pathname } = new URL(text);
      assert.equal(origin + pathname, GOOD);
    }), { numRuns: 3000 });
  });
});

describe('completionUrl', () => {
  const added = 'client_id=public-key&user_id=7&access_token=token&success=1';

  it('appends the four parameters', () => {
    assert.equal(completionUrl(GOOD, completion), `${GOOD}?${added}`);
    assert.equal(completionUrl(`${GOOD}?`, completion), `${GOOD}?${added}`);
    assert.equal(new URL(completionUrl(GOOD, { ...completion, success: false })).searchParams.get('success'), '0');
  });

  it('keeps the rest of the query byte for byte', () => {
    for (const query of ['flow=7', 'x=%20&y=a+b', 'tilde=~', 'flag', 'flag&&x', 'bad=%FF&cut=%', 'q=a?b=c', 'lower=%e2%9c%93', 'a=1&a=2', 'clients_id=x', '&', 'dots=../..']) {
      assert.equal(completionUrl(`${GOOD}?${query}`, completion), `${GOOD}?${query}&${added}`);
    }
  });

  it('doubles none of its parameters, however they are written', () => {
    for (const own of ['success=1', 'success', 'success=', '%73uccess=0', 'user%5Fid=9', 'access_token=a&x=1&access_token=b', 'client_id=c']) {
      const url = new URL(completionUrl(`${GOOD}?flow=7&${own}`, completion));
      for (const [name, value] of Object.entries({ flow: '7', client_id: 'public-key', user_id: '7', access_token: 'token', success: '1' })) {
        assert.deepEqual(url.searchParams.getAll(name), [value], own);
      }
    }
    assert.equal(completionUrl(`${GOOD}?success=1`, completion), `${GOOD}?${added}`);
  });

  it('encodes the values', () => {
    const userId = `7&success=1#ü '"+`;
    const url = new URL(completionUrl(GOOD, { ...completion, userId, success: false }));
    assert.equal(url.searchParams.get('user_id'), userId);
    assert.equal(url.searchParams.get('success'), '0');
    assert.equal(url.hash, '');
  });
});
