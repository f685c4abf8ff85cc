/** The nginx configuration of the documentation, checked by nginx. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startReadmeNginx } from '../deploy/_nginx.ts';
import { codeBlocks } from './_documents.ts';

describe('the nginx configuration of the README', async () => {
  const [block, ...more] = await codeBlocks('nginx');
  const code = block?.code ?? '';

  it('is one that nginx starts with', async () => {
    await using nginx = await startReadmeNginx(1);
    assert.deepEqual(more, []);
    assert.doesNotMatch(await nginx.logs(), /\[(?:warn|error|alert|emerg)\]/);
  });

  it('passes the path on unchanged', () => {
    assert.match(code, /proxy_pass http:\/\/[^/;]+;/);
  });

  it('passes on no address that a client sends', () => {
    assert.match(code, /X-Forwarded-For \$remote_addr;/);
  });
});
