import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestIdOf } from './request-id.ts';
import { serve } from './_serve.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

describe('requestId', () => {
  it('takes a harmless id over and tells it', async () => {
    await using served = await serve((_req, res) => { res.json(requestIdOf(res)); });
    const res = await served.request.get('/').set('X-Request-Id', 'proxy-1:2.3_4');
    assert.equal(res.headers['x-request-id'], 'proxy-1:2.3_4');
    assert.equal(res.body, 'proxy-1:2.3_4');
  });

  it('makes one where there is none, or one that could forge a line', async () => {
    await using served = await serve((_req, res) => { res.json(requestIdOf(res)); });
    assert.match((await served.request.get('/')).headers['x-request-id'] ?? '', UUID);
    for (const id of ['short', 'x'.repeat(65), 'with space!', '{"level":60}', 'a,b,c,d,e', 'ü'.repeat(8)]) {
      const res = await served.request.get('/').set('X-Request-Id', Buffer.from(id).toString('latin1').replaceAll(/[\x80-\xff]/g, '?'));
      assert.match(res.headers['x-request-id'] ?? '', UUID, id);
    }
  });
});
