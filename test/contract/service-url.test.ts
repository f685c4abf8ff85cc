/** Base addresses of the service with a path of their own. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completionParams, expectStatus, startBff } from '../lib/bff.ts';

describe('serviceUrl', () => {
  for (const basePath of ['/base', '/a%20b', '/@pub', '/.well', '/x/~y/(z)', '/a;b=c']) {
    it(`with the path ${basePath}: a reader signs in, completes and posts`, async () => {
      await using bff = await startBff({ serviceOptions: { basePath, completionQuery: 'flow=7&x=%20~' } });
      const browser = bff.browser();
      const { completion_url } = await browser.signIn();
      assert.ok(completion_url.startsWith(`${bff.service.url}/audiencesync/complete/?flow=7&x=%20~&client_id=`), completion_url);
      assert.equal(completionParams(completion_url)['success'], '1');
      assert.equal((await fetch(completion_url)).status, 200);
      expectStatus(await browser.createPost('Hello'), 201);
    });
  }
});
