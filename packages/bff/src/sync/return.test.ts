import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseReturnQuery, parseSyncStart } from './return.ts';

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

  it('takes a query without any of the parameters for a page that was loaded again', () => {
    for (const query of ['', 'verify=1']) assert.equal(parseReturnQuery(new URLSearchParams(query)), undefined);
  });
});
