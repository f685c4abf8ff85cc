import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseReturnQuery, parseSyncStart, serviceErrorOf } from './return.ts';

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

  it('accepts each of them at its longest', () => {
    for (const [name, length] of Object.entries({ code: 2_048, username: 255, user_id: 255, audiencesync_uri: 4_096 })) {
      const value = 'x'.repeat(length);
      assert.equal(parseSyncStart({ ...syncReturn, [name]: value })[name as 'code'], value);
      assert.throws(() => parseSyncStart({ ...syncReturn, [name]: `${value}x` }), { detail: `${name} must hold 1 to ${length} characters.` });
    }
  });

  it('refuses what else is sent along', () => {
    for (const extra of ['success', 'error', 'access_token', 'state']) {
      assert.throws(() => parseSyncStart({ ...syncReturn, [extra]: '1' }), { type: 'invalid-request' });
    }
  });
});

describe('parseReturnQuery', () => {
  it('recognizes a grant, beside the redirect URI\'s own parameters', () => {
    assert.deepEqual(parseReturnQuery(queryOf({ verify: '1', ...syncReturn })), { kind: 'granted', syncReturn });
  });

  it('recognizes a denial by error, with any value and any other parameters', () => {
    for (const error of ['access_denied', '', '<script>']) {
      assert.deepEqual(parseReturnQuery(queryOf({ error })), { kind: 'declined' });
      assert.deepEqual(parseReturnQuery(queryOf({ ...syncReturn, success: '1', error })), { kind: 'declined' });
    }
  });

  it('recognizes an earlier grant by success=1 without a code', () => {
    assert.deepEqual(parseReturnQuery(queryOf({ ...syncReturn, success: '1' })), { kind: 'granted', syncReturn });
    assert.deepEqual(parseReturnQuery(queryOf({ success: '1' })), { kind: 'already-granted' });
  });

  it('refuses a return that is incomplete', () => {
    for (const query of ['success=0', 'success=true', 'code=a', 'code=&username=a&user_id=1&audiencesync_uri=x']) {
      assert.throws(() => parseReturnQuery(new URLSearchParams(query)), { type: 'invalid-request' }, query);
    }
    for (const name of Object.keys(syncReturn)) {
      const { [name as 'code']: _, ...rest } = syncReturn;
      const detail = 'The return from the comment service is incomplete.';
      assert.throws(() => parseReturnQuery(queryOf(rest)), { type: 'invalid-request', detail }, name);
    }
  });

  it('names the setting to look at', () => {
    const diagnosis = { reason: 'the return of the service lacks or repeats a parameter', setting: 'VESTIBULE_REDIRECT_URI, or the proxy' };
    const detail = 'The return from the comment service is incomplete.';
    assert.throws(() => parseReturnQuery(queryOf({ code: 'a' })), { detail, diagnosis });
    assert.throws(() => parseReturnQuery(new URLSearchParams('code=a&code=b')), { detail: 'code is repeated.', diagnosis });
  });

  it('takes a query without any of the parameters for a page that was loaded again', () => {
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

describe('serviceErrorOf', () => {
  it('names the errors of OAuth 2', () => {
    for (const error of ['invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope', 'server_error', 'temporarily_unavailable']) {
      assert.equal(serviceErrorOf(queryOf({ error })), `error=${error}`);
    }
  });

  it('names no other error, for it is a text of the URL', () => {
    for (const error of ['', '<script>', 'Access_denied']) {
      assert.equal(serviceErrorOf(queryOf({ error })), 'an error that OAuth 2 does not define');
    }
  });

  it('is undefined where the reader denied access, and without an error', () => {
    assert.equal(serviceErrorOf(queryOf({ error: 'access_denied' })), undefined);
    assert.equal(serviceErrorOf(queryOf(syncReturn)), undefined);
  });
});
