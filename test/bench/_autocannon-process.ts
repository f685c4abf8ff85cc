/** autocannon as a process of its own: it is told what to ask by message and answers with what came of it. */

import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { HEADERS, MESSAGE_BYTES, messageOf } from './_scenarios.ts';

export interface CannonWish {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly scenario: 'posts' | 'session';
  /** `Cookie` headers of readers who are signed in. */
  readonly cookies: readonly string[];
}

export interface CannonResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 2xx, and connections that broke. */
  readonly failed: number;
}

process.on('message', (wish: CannonWish) => void fire(wish).then((result) => process.send?.(result)));
process.on('disconnect', () => process.exit());

async function fire({ port, connections, seconds, scenario, cookies }: CannonWish): Promise<CannonResult> {
  const { requests, latency, duration, non2xx, errors } = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    requests: cookies.map((cookie) => requestOf(scenario, cookie)),
  });
  return { perSecond: requests.total / duration, p50Ms: latency.p50, p99Ms: latency.p99, failed: non2xx + errors };
}

function requestOf(scenario: CannonWish['scenario'], cookie: string): autocannon.Request {
  const headers = { ...HEADERS, Cookie: cookie };
  if (scenario === 'session') return { method: 'GET', path: '/vestibule/session', headers };
  return {
    method: 'POST',
    path: '/vestibule/posts',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ forum: 'news', message: messageOf(MESSAGE_BYTES) }),
    setupRequest: (request) => ({ ...request, headers: { ...request.headers, 'Idempotency-Key': randomUUID() } }),
  };
}
