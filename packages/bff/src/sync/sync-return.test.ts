import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseReturnQuery, parseReturnUri, parseSyncStart } from './sync-return.ts';

const syncReturn = { code: 'code', username: 'Ada Quill', user_id: '7', audiencesync_uri: 'https://comments.example/audiencesync/complete/' };
const queryOf = (members: Readonly<Record<string, string>>) => new URLSearchParams(members);

describe('parseSyncStart', () => {
  it('gives the four parameters, and the forum where there is one', () => {
    assert.deepEqual(parseSyncStart(syncReturn), syncReturn);
    assert.deepEqual(parseSyncStart({ ...syncReturn, forum: 'news' }), { ...syncReturn, forum: 'news' });
  });

  it('refuses each of them missing, empty, of another type, ill-formed or too long', () => {
    for (const name of Object.keys(syncReturn)) {
      for (const value of [undefined, '', 5, null, {}, ['a'], '\ud800', 'x'.repeat(4097)]) {
        assert.throws(() => parseSyncStart({ ...syncReturn, [name]: value }), { type: 'invalid-request', detail: new RegExp(`^${name} `) }, name);
      }
    }
  });

  it('refuses what else is sent along', () => {
    for (const extra of ['success', 'error', 'access_token', 'state']) {
      assert.throws(() => parseSyncStart({ ...syncReturn, [extra]: '1' }), { type: 'invalid-request' });
    }
  });
});

describe('parseReturnQuery', () => {
  it('knows a grant, beside the redirect URI\'s own parameters', () => {
    assert.deepEqual(parseReturnQuery(queryOf({ verify: '1', ...syncReturn })), { kind: 'granted', syncReturn });
  });

  it('knows a denial by error, whatever it says and whatever stands beside it', () => {
    for (const error of ['access_denied', '', '<script>']) {
      assert.deepEqual(parseReturnQuery(queryOf({ error })), { kind: 'declined' });
      assert.deepEqual(parseReturnQuery(queryOf({ ...syncReturn, success: '1', error })), { kind: 'declined' });
    }
  });

  it('knows an earlier grant by success=1 without a code', () => {
    assert.deepEqual(parseReturnQuery(queryOf({ success: '1' })), { kind: 'already-granted' });
  });

  it('does not take success=1 for anything beside a code', () => {
    assert.deepEqual(parseReturnQuery(queryOf({ ...syncReturn, success: '1' })), { kind: 'granted', syncReturn });
  });

  it('refuses a return that is incomplete', () => {
    for (const query of ['success=0', 'success=true', 'code=a', 'code=&username=a&user_id=1&audiencesync_uri=x']) {
      assert.throws(() => parseReturnQuery(new URLSearchParams(query)), { type: 'invalid-request' }, query);
    }
    for (const name of Object.keys(syncReturn)) {
      const { [name as 'code']: _, ...rest } = syncReturn;
      assert.throws(() => parseReturnQuery(queryOf(rest)), { type: 'invalid-request' }, name);
    }
  });

  it('takes a query with none of the parameters for no return at all: the page was loaded again', () => {
    for (const query of ['', 'verify=1']) assert.equal(parseReturnQuery(new URLSearchParams(query)), undefined);
  });

  it('refuses a parameter that comes twice', () => {
    for (const name of [...Object.keys(syncReturn), 'error', 'success']) {
      const query = queryOf(syncReturn);
      query.append(name, 'a');
      query.append(name, 'b');
      assert.throws(() => parseReturnQuery(query), { type: 'invalid-request', detail: `${name} is repeated.` });
    }
  });
});

const origins = ['https://www.example.com', 'http://blog.example:8080'];

describe('parseReturnUri', () => {
  it('takes pages of the allowed origins, with query and fragment', () => {
    for (const [text, href] of [
      ['https://www.example.com', 'https://www.example.com/'],
      ['https://www.example.com/a/b?c=d&e=%2F#comments', 'https://www.example.com/a/b?c=d&e=%2F#comments'],
      ['https://www.example.com:443/?next=//evil.example', 'https://www.example.com/?next=//evil.example'],
      ['http://blog.example:8080/ü', 'http://blog.example:8080/%C3%BC'],
      ['https://www.example.com/a@b', 'https://www.example.com/a@b'],
    ] as const) assert.equal(parseReturnUri(origins, text), href);
  });

  for (const [trick, texts] of Object.entries({
    'other origins': ['https://evil.example/', 'http://www.example.com/', 'https://www.example.com:8443/', 'https://example.com/', 'http://blog.example/',
      'https://www.example.com.evil.example/', 'https://evil-www.example.com/', 'https://www.example.com./', 'https://127.0.0.1/'],
    'other schemes': ['javascript:alert(1)', 'data:text/html,x', 'ftp://www.example.com/', 'blob:https://www.example.com/x', 'about:blank', 'file:///etc/passwd'],
    'user info': ['https://www.example.com@evil.example/', 'https://evil.example@www.example.com/', 'https://u:p@www.example.com/'],
    'addresses that are not whole': ['', '/', '//www.example.com/', '/article', 'www.example.com', 'https:www.example.com/', 'https:/www.example.com/', 'https:///www.example.com/',
      '?x', '#x', 'https://'],
    'what a browser reads in another way': ['https://www.example.com\\@evil.example/', 'https:\\\\www.example.com/', '\thttps://www.example.com/', 'https://www.example.com/ ',
      'https://www.exam\nple.com/', 'https://www.example.com/\0', 'https://www.example.com/\u0085', 'https://www.example.com/\u2028', 'https://www.example.com/a\r\nSet-Cookie: a=b'],
    'addresses without end': [`https://www.example.com/${'a'.repeat(4096)}`],
  })) {
    it(`refuses ${trick}`, () => {
      for (const text of texts) assert.throws(() => parseReturnUri(origins, text), { type: 'untrusted-return-uri' }, JSON.stringify(text));
    });
  }
});
