/** The lines about sign-ins that fail at the service or on the way back, where no response shows the failure. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startBff, type Bff } from '../lib/bff.ts';

/** Of pino. */
const WARN = 40;

/** Lines at `warn` or above. */
const warnings = ({ log }: Bff) => log.filter(({ level }) => (level as number) >= WARN);

describe('a failed sign-in', () => {
  it('that the service ended leaves a line with what to look at, without a browser that began it', async () => {
    await using bff = await startBff();
    const res = await bff.browser().get('/sync/return?error=invalid_request');
    await bff.browser().get('/sync/return?error=access_denied');
    await bff.browser().get('/sync/return?error=canary');
    const setting = 'VESTIBULE_FORUMS, VESTIBULE_REDIRECT_URI';
    assert.deepEqual(warnings(bff).map(({ msg, problem, reason, setting: named }) => [msg, problem, reason, named]), [
      ['sign-in failed', 'service-refused', 'the service returned the reader with error=invalid_request', setting],
      ['sign-in failed', 'service-refused', 'the service returned the reader with an error that OAuth 2 does not define', setting],
    ]);
    assert.equal(warnings(bff)[0]?.['request_id'], res.headers['x-request-id']);
    assert.doesNotMatch(JSON.stringify(bff.log), /canary/);
  });

  it('whose return lacks a parameter leaves a line without a browser that began it', async () => {
    await using bff = await startBff();
    for (const query of ['code=canary', 'code=canary&code=canary', '', 'unrelated=1']) await bff.browser().get(`/sync/return?${query}`);
    const expected = ['invalid-request', 'VESTIBULE_REDIRECT_URI, or the proxy'];
    assert.deepEqual(warnings(bff).map(({ problem, setting }) => [problem, setting]), [expected, expected]);
    assert.doesNotMatch(JSON.stringify(bff.log), /canary/);
  });

  it('whose return fails itself leaves one line', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.authorize('');
    await browser.get('/sync/return?error=invalid_request&error=server_error');
    await bff.browser().get('/sync/return?error=invalid_request').set('Accept', 'image/png');
    assert.deepEqual(warnings(bff).map(({ problem }) => problem), ['invalid-request', 'not-acceptable']);
  });
});

describe('sign-ins that do not return', () => {
  it('leave a line for each twenty in a row, with what to look at', async () => {
    for (const [embeddedUrl, setting] of [
      [undefined, 'VESTIBULE_REDIRECT_URI, VESTIBULE_PUBLIC_KEY, VESTIBULE_SERVICE_URL'],
      ['https://service.example/embedded', 'VESTIBULE_EMBEDDED_URL'],
    ] as const) {
      await using bff = await startBff({ ...(embeddedUrl !== undefined && { embeddedUrl }) });
      const browser = bff.browser();
      for (let starts = 0; starts < 19; starts += 1) await browser.authorize('');
      assert.deepEqual(warnings(bff), []);
      for (let starts = 19; starts < 41; starts += 1) await browser.authorize('');
      const reason = '20 sign-ins in a row did not return: '
        + 'the service\'s page refuses the redirect URI or the public key, or is down';
      const line = ['sign-in failed', 'service-refused', reason, setting];
      const lines = warnings(bff).map(({ msg, problem, reason: given, setting: named }) => [msg, problem, given, named]);
      assert.deepEqual(lines, [line, line]);
    }
  });

  it('are counted anew after a return, also of the embedded variant', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    for (let starts = 0; starts < 50; starts += 1) {
      await browser.authorize('');
      if (starts === 15) await bff.browser().get('/sync/return?error=access_denied');
      if (starts === 33) await bff.browser().start();
    }
    assert.deepEqual(warnings(bff), []);
  });
});
