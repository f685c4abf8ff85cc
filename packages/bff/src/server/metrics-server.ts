/** `GET /metrics` for a Prometheus on this machine: a listener of its own on loopback, which browsers cannot reach. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { METRICS_MEDIA_TYPE } from '../metrics/metrics.ts';

const HOST = '127.0.0.1';

/** Resolves when it listens. @throws a system error if the port cannot be used */
export async function startMetricsServer(port: number, metrics: () => Promise<string>): Promise<Server> {
  const server = createServer((req, res) => {
    const isKnown = req.url === '/metrics';
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (!isKnown || !isRead) {
      res.writeHead(isKnown ? 405 : 404, isKnown ? { Allow: 'GET, HEAD' } : {}).end();
      return;
    }
    metrics().then(
      (text) => { res.writeHead(200, { 'Content-Type': METRICS_MEDIA_TYPE }).end(text); },
      () => { res.writeHead(500).end(); },
    );
  });
  server.listen(port, HOST);
  await once(server, 'listening');
  return server;
}
