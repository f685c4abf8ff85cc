import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHealthRouter, type HealthDeps } from './health-router.ts';
import { serve } from './_serve.ts';

const silent = { info: () => undefined, warn: () => undefined };

const serveHealth = ({ ping = async () => undefined as void, draining = false, log = silent as HealthDeps['log'] } = {}) => (
  serve(createHealthRouter({ store: { ping }, isDraining: () => draining, log }))
);

describe('createHealthRouter', () => {
  it('answers 200 while alive and ready', async () => {
    await using served = await serveHealth();
    const live = await served.request.get('/healthz');
    assert.deepEqual([live.status, live.body], [200, { status: 'ok', checks: { process: 'ok' } }]);
    const ready = await served.request.get('/readyz');
    assert.deepEqual([ready.status, ready.body], [200, { status: 'ok', checks: { store: 'ok', process: 'ok' } }]);
  });

  it('is alive but not ready without its store', async () => {
    await using served = await serveHealth({ ping: () => Promise.reject(new Error('canary')) });
    assert.equal((await served.request.get('/healthz')).status, 200);
    const ready = await served.request.get('/readyz');
    assert.deepEqual([ready.status, ready.body], [503, { status: 'unavailable', checks: { store: 'unavailable', process: 'ok' } }]);
  });

  it('logs why it is not ready, and that it is again, once each', async (t) => {
    t.mock.timers.enable({ apis: ['Date'] });
    let now = 1_000_000;
    t.mock.method(performance, 'now', () => now);
    const lines: unknown[] = [];
    const full = new Error('disk full');
    let failure: Error | undefined;
    const line = (level: string) => (...line: unknown[]) => { lines.push([level, ...line]); };
    await using served = await serveHealth({
      ping: async () => { if (failure) throw failure; },
      log: { info: line('info'), warn: line('warn') } as unknown as HealthDeps['log'],
    });
    for (const state of [undefined, full, full, undefined, undefined]) {
      failure = state;
      now += 1_000;
      await served.request.get('/readyz');
    }
    assert.deepEqual(lines, [
      ['warn', { err: full, setting: 'VESTIBULE_STORE' }, 'the store does not accept writes: GET /readyz is 503'],
      ['info', 'the store accepts writes again'],
    ]);
  });

  it('waits one second for a store that hangs', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const pinged = Promise.withResolvers<void>();
    const warnings: Error[] = [];
    const log = { info: () => undefined, warn: ({ err }: { err: Error }) => { warnings.push(err); } } as HealthDeps['log'];
    await using served = await serveHealth({ ping: () => { pinged.resolve(); return new Promise(() => undefined); }, log });
    const ready = served.request.get('/readyz').then(({ status }) => status);
    await pinged.promise;
    t.mock.timers.tick(999);
    await nextTurn();
    assert.deepEqual(warnings, []);
    t.mock.timers.tick(1);
    assert.equal(await ready, 503);
    assert.deepEqual(warnings, [new Error('The store did not respond in time.')]);
  });

  it('is alive but not ready while draining', async () => {
    await using served = await serveHealth({ draining: true });
    assert.equal((await served.request.get('/healthz')).status, 200);
    const ready = await served.request.get('/readyz');
    assert.deepEqual([ready.status, ready.body], [503, { status: 'unavailable', checks: { store: 'ok', process: 'draining' } }]);
  });

  it('allows GET and HEAD only', async () => {
    await using served = await serveHealth();
    for (const path of ['/healthz', '/readyz']) {
      assert.equal((await served.request.head(path)).status, 200);
      const refused = await served.request.post(path);
      assert.deepEqual([refused.status, refused.headers['allow']], [405, 'GET, HEAD']);
    }
  });

  it('shares one ping among the requests of a second', async () => {
    let pings = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    await using served = await serveHealth({ ping: () => { pings += 1; return promise; } });
    const requests = Promise.all(Array.from({ length: 20 }, () => served.request.get('/readyz')));
    while (pings === 0) await new Promise((turn) => { setImmediate(turn); });
    resolve();
    assert.deepEqual([...new Set((await requests).map(({ status }) => status))], [200]);
    await served.request.get('/readyz');
    assert.equal(pings, 1);
  });

  it('pings again after a second', async (t) => {
    let pings = 0;
    let now = 5_000;
    t.mock.method(performance, 'now', () => now);
    await using served = await serveHealth({ ping: async () => { pings += 1; if (pings > 1) throw new Error('lost'); } });
    assert.equal((await served.request.get('/readyz')).status, 200);
    now += 999;
    assert.equal((await served.request.get('/readyz')).status, 200);
    assert.equal(pings, 1);
    now += 1;
    assert.equal((await served.request.get('/readyz')).status, 503);
    assert.equal(pings, 2);
  });
});
