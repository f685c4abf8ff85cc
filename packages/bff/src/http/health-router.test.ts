import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHealthRouter } from './health-router.ts';
import { serve } from './_serve.ts';

const serveHealth = ({ ping = async () => undefined as void, draining = false } = {}) => (
  serve(createHealthRouter({ store: { ping }, isDraining: () => draining }))
);

describe('createHealthRouter', () => {
  it('is alive and ready', async () => {
    await using served = await serveHealth();
    const live = await served.request.get('/healthz');
    assert.deepEqual([live.status, live.body], [200, { status: 'ok', checks: { process: 'ok' } }]);
    const ready = await served.request.get('/readyz');
    assert.deepEqual([ready.status, ready.body], [200, { status: 'ok', checks: { store: 'ok', process: 'ok' } }]);
  });

  it('is alive and not ready without its store', async () => {
    await using served = await serveHealth({ ping: () => Promise.reject(new Error('canary')) });
    assert.equal((await served.request.get('/healthz')).status, 200);
    const ready = await served.request.get('/readyz');
    assert.deepEqual([ready.status, ready.body], [503, { status: 'unavailable', checks: { store: 'unavailable', process: 'ok' } }]);
  });

  it('does not wait for a store that hangs', async () => {
    await using served = await serveHealth({ ping: () => new Promise<void>(() => undefined) });
    assert.equal((await served.request.get('/readyz').timeout(3_000)).status, 503);
  });

  it('is alive and not ready on its way out', async () => {
    await using served = await serveHealth({ draining: true });
    assert.equal((await served.request.get('/healthz')).status, 200);
    const ready = await served.request.get('/readyz');
    assert.deepEqual([ready.status, ready.body], [503, { status: 'unavailable', checks: { store: 'ok', process: 'draining' } }]);
  });

  it('takes GET and HEAD alone', async () => {
    await using served = await serveHealth();
    for (const path of ['/healthz', '/readyz']) {
      assert.equal((await served.request.head(path)).status, 200);
      const refused = await served.request.post(path);
      assert.deepEqual([refused.status, refused.headers['allow']], [405, 'GET, HEAD']);
    }
  });
});
