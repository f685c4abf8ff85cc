import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { Metrics } from '../metrics/metrics.ts';
import { startMetricsServer } from './metrics-server.ts';

type Test = (url: string, address: AddressInfo) => Promise<void>;

async function withServer(metrics: () => Promise<string>, test: Test): Promise<void> {
  const server = await startMetricsServer(0, metrics);
  const address = server.address() as AddressInfo;
  try {
    await test(`http://127.0.0.1:${address.port}`, address);
  } finally {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }
}

describe('startMetricsServer', () => {
  it('serves GET /metrics in the Prometheus text format, on loopback only', async () => {
    const metrics = new Metrics();
    await withServer(() => metrics.text(), async (url, { address }) => {
      assert.equal(address, '127.0.0.1');
      const response = await fetch(`${url}/metrics`);
      assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
      assert.match(await response.text(), /^# HELP vestibule_http_requests_total /m);
    });
  });

  it('serves nothing else', async () => {
    await withServer(() => Promise.resolve(''), async (url) => {
      assert.equal((await fetch(`${url}/`)).status, 404);
      assert.equal((await fetch(`${url}/metrics?x`)).status, 404);
      assert.equal((await fetch(`${url}/metrics`, { method: 'POST' })).status, 405);
      assert.equal((await fetch(`${url}/metrics`, { method: 'HEAD' })).status, 200);
    });
  });

  it('answers 500 if collecting fails', async () => {
    await withServer(() => Promise.reject(new Error('broken')), async (url) => {
      assert.equal((await fetch(`${url}/metrics`)).status, 500);
    });
  });

  it('rejects if the port is taken', async () => {
    await withServer(() => Promise.resolve(''), async (_url, { port }) => {
      await assert.rejects(startMetricsServer(port, () => Promise.resolve('')), { code: 'EADDRINUSE' });
    });
  });
});
