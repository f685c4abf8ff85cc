/** The readers: a process of its own that is told what to ask by message and answers with what came of it. Bare sockets,
 *  so that what is measured is the server: a request is one write, an answer is found by its `Content-Length`. */

import { connect, type Socket } from 'node:net';
import { createScenario, type Scenario, type ScenarioName, type ScenarioWish } from './_scenarios.ts';

export interface LoadWish {
  readonly port: number;
  readonly scenario: ScenarioName;
  /** Each with one request under way. */
  readonly connections: number;
  readonly durationMs: number;
  readonly messageBytes?: number;
}

export interface LoadResult {
  /** Answers with the scenario's status, within the time. */
  readonly answered: number;
  /** Answers with any other status of 400 and more, and connections that broke. */
  readonly failed: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

if (process.send) {
  let readers: ScenarioWish | undefined;
  process.on('message', (message: { readers: ScenarioWish } | { load: LoadWish }) => {
    if ('readers' in message) readers = message.readers;
    else if (readers) void applyLoad(message.load, readers).then((result) => process.send?.(result));
  });
  process.on('disconnect', () => process.exit());
}

async function applyLoad(wish: LoadWish, readers: ScenarioWish): Promise<LoadResult> {
  const { port, connections, durationMs, scenario: name, messageBytes } = wish;
  const latencies: number[] = [];
  let failed = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + durationMs;
  const readersOfThis = messageBytes === undefined ? readers : { ...readers, messageBytes };
  await Promise.all(Array.from({ length: connections }, () => converse(createScenario(name, readersOfThis))));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
  return { answered: latencies.length, failed, seconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };

  function converse(scenario: Scenario): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket: Socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
    let received = '';
    let sentAt = performance.now();
    let isOver = false;
    const send = (lastResponse: string) => {
      sentAt = performance.now();
      if (sentAt >= endsAt) {
        isOver = true;
        socket.destroy();
      } else {
        socket.write(scenario.next(lastResponse));
      }
    };
    socket.once('connect', () => { send(''); });
    socket.on('data', (chunk) => {
      received += String(chunk);
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = received.slice(0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (received.length < end + 4 + length) return;
      const response = received;
      received = '';
      const status = Number(head.slice(9, 12));
      if (status === scenario.expectedStatus) latencies.push(performance.now() - sentAt);
      else if (status >= 400) failed += 1;
      send(response);
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (!isOver) failed += 1;
      resolve();
    });
    return promise;
  }
}
