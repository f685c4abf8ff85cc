/** `GET /metrics` for a Prometheus on this machine: a listener of its own on loopback, which browsers cannot reach. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { METRICS_MEDIA_TYPE } from '../metrics/metrics.ts';

const HOST = '127.0.0.1';

/** Resolves when it listens. @throws a system error if the port cannot be used */
export async function startMetricsServer(port: number, metrics: () => Promise<string>): Promise<Server> {
  const server = createServer((req, res) => {
    if (req.url !== '/metrics') res.writeHead(404).end();
    else if (req.method !== 'GET' && req.method !== 'HEAD') res.writeHead(405, { Allow: 'GET, HEAD' }).end();
    else metrics().then(
      (text) => { res.writeHead(200, { 'Content-Type': METRICS_MEDIA_TYPE }).end(text); },
      () => { res.writeHead(500).end(); },
    );
  });
  server.listen(port, HOST);
  await once(server, 'listening');
  return server;
}
