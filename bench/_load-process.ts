/** Process that sends the load. It receives orders and sends results as messages. It uses sockets directly, because an HTTP
 *  client would take more CPU time than the server: a request is one write, a response ends by its `Content-Length`. */

import { connect, type Socket } from 'node:net';
import { createScenario, type Scenario, type ScenarioName, type ScenarioOptions } from './_scenarios.ts';

export interface LoadOptions {
  readonly port: number;
  readonly scenario: ScenarioName;
  /** Each with one request in flight. */
  readonly connections: number;
  readonly durationMs: number;
  readonly messageBytes?: number;
}

export interface LoadResult {
  /** Responses with the expected status. */
  readonly responses: number;
  /** Responses with another status from 400 on, and connections that closed without `Connection: close`. */
  readonly failed: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

if (process.send) {
  let readers: ScenarioOptions | undefined;
  process.on('message', (message: { readers: ScenarioOptions } | { load: LoadOptions }) => {
    if ('readers' in message) readers = message.readers;
    else if (readers) void applyLoad(message.load, readers).then((result) => process.send?.(result));
  });
  process.on('disconnect', () => process.exit());
}

async function applyLoad(options: LoadOptions, readers: ScenarioOptions): Promise<LoadResult> {
  const { port, connections, durationMs, scenario: name, messageBytes } = options;
  const latencies: number[] = [];
  let failed = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + durationMs;
  const readersOfThis = messageBytes === undefined ? readers : { ...readers, messageBytes };
  await Promise.all(Array.from({ length: connections }, async () => {
    const scenario = createScenario(name, readersOfThis);
    let lastResponse: string | undefined = '';
    do lastResponse = await connectOnce(scenario, lastResponse); while (lastResponse !== undefined);
  }));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
  return { responses: latencies.length, failed, seconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };

  /** Sends requests until the time is over or the server announces that it closes the connection.
   *  @returns the last response if more requests follow */
  function connectOnce(scenario: Scenario, earlierResponse: string): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const socket: Socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
    let received = '';
    let sentAt = performance.now();
    let isOver = false;
    const end = (lastResponse?: string) => {
      isOver = true;
      socket.destroy();
      resolve(lastResponse);
    };
    const send = (lastResponse: string) => {
      sentAt = performance.now();
      if (sentAt >= endsAt) end();
      else socket.write(scenario.next(lastResponse));
    };
    socket.once('connect', () => { send(earlierResponse); });
    socket.on('data', (chunk) => {
      received += String(chunk);
      const headLength = received.indexOf('\r\n\r\n');
      if (headLength < 0) return;
      const head = received.slice(0, headLength);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (received.length < headLength + 4 + length) return;
      const response = received;
      received = '';
      const status = Number(head.slice(9, 12));
      if (status === scenario.expectedStatus) latencies.push(performance.now() - sentAt);
      else if (status >= 400) failed += 1;
      if (/\r\nconnection: close/i.test(head)) end(response);
      else send(response);
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      if (!isOver) failed += 1;
      resolve(undefined);
    });
    return promise;
  }
}
