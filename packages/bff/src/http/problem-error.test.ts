import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Router } from 'express';
import { methodNotAllowed } from './problem-error.ts';
import { done, serve } from './_serve.ts';

const serveRoute = () => {
  const router = Router();
  router.route('/session').get(done).delete(done).all(methodNotAllowed('GET, HEAD, DELETE'));
  return serve(router);
};

describe('methodNotAllowed', () => {
  it('answers unsupported methods with 405 and the supported ones', async () => {
    await using served = await serveRoute();
    for (const method of ['post', 'put', 'patch', 'options'] as const) {
      const { status, headers, body } = await served.request[method]('/session');
      assert.deepEqual([status, headers['allow'], (body as { type: string }).type], [405, 'GET, HEAD, DELETE', 'urn:vestibule:method-not-allowed'], method);
    }
  });

  it('is not reached by supported methods, HEAD included', async () => {
    await using served = await serveRoute();
    for (const method of ['get', 'head', 'delete'] as const) assert.equal((await served.request[method]('/session')).status, 204, method);
  });
});
