/** What the BFF weighs: lines and files of its sources, dependencies, files of ours that run for a request, and sequential round
 *  trips to Redis. */

import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import { connect, createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Bff from '@vestibule/bff';
import { startRedis } from '../test/lib/redis-server.ts';
import { startMeasured } from './measured-process.ts';
import config from './posts-config.ts';
import { rowOf, type Row } from './rows.ts';
import { Client } from './scenarios.ts';

const root = join(import.meta.dirname, '..');
const bff = join(root, 'packages/bff');
const DIST = pathToFileURL(join(root, 'packages')).href;

const REPEATS = 9;

export async function benchWeight(): Promise<readonly Row[]> {
  const sources = globSync('src/**/*.ts', { cwd: bff }).filter((name) => !/\.test\.ts$|\/_[^/]*$/.test(name));
  const lines = sources.reduce((sum, name) => sum + readFileSync(join(bff, name), 'utf8').split('\n').length - 1, 0);
  const { dependencies } = JSON.parse(readFileSync(join(bff, 'package.json'), 'utf8')) as { readonly dependencies: object };
  const others = Object.keys(dependencies).filter((name) => !/^@(?:vestibule|types)\//.test(name));
  return [
    rowOf('BFF: lines', '', [lines]), rowOf('BFF: files', '', [sources.length]), rowOf('BFF: dependencies', '', [others.length]),
    ...await requestRows(),
  ];
}

async function requestRows(): Promise<readonly Row[]> {
  await using stack = new AsyncDisposableStack();
  const upstream = stack.use(await startMeasured([join(import.meta.dirname, 'upstream.ts')]));
  const redis = stack.use(await startRedis());
  const proxy = await startCountingProxy(redis.port);
  stack.defer(() => { proxy.server.close(); });
  const { createVestibule } = await import(pathToFileURL(join(bff, 'dist/index.js')).href) as typeof Bff;
  const vestibule = stack.use(await createVestibule({
    ...config,
    serviceUrl: upstream.origin, publicKey: 'public', secretKey: 'secret', forums: ['news'], publicUrl: 'https://www.example.com/vestibule',
    cookieSecrets: ['0123456789abcdef0123456789abcdef'], store: `redis://127.0.0.1:${proxy.port}`,
  }));
  const server = createServer(vestibule.router);
  stack.defer(() => { server.close().closeAllConnections(); });
  const client = new Client(`http://127.0.0.1:${await portOf(server)}`, { connections: 1, serviceUrl: upstream.origin });
  stack.defer(() => client.close());
  const cookie = await client.signIn();
  const session = new Session();
  session.connect();
  stack.defer(() => { session.disconnect(); });
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const rows: Row[] = [];
  for (const [title, run] of Object.entries(client.scenarios)) {
    await run([cookie]);
    const [files, trips]: [number[], number[]] = [[], []];
    for (let i = 0; i < REPEATS; i += 1) {
      await session.post('Profiler.takePreciseCoverage');
      const before = proxy.trips();
      await run([cookie]);
      trips.push(proxy.trips() - before);
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const ran = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
      files.push(ran.filter(({ url }) => url.startsWith(DIST)).length);
    }
    rows.push(rowOf(`${title}: files of ours that run`, '', files), rowOf(`${title}: sequential round trips to Redis`, '', trips));
  }
  return rows;
}

/** Counts how often the client sends after it has received. */
async function startCountingProxy(target: number): Promise<{ server: Server; port: number; trips: () => number }> {
  let trips = 0;
  const server = createTcpServer((socket) => {
    const upstream = connect(target, '127.0.0.1');
    let isWaiting = false;
    socket.on('data', () => {
      if (!isWaiting) trips += 1;
      isWaiting = true;
    }).pipe(upstream);
    upstream.on('data', () => { isWaiting = false; }).pipe(socket);
    for (const one of [socket, upstream]) one.on('error', () => { socket.destroy(); upstream.destroy(); });
  });
  return { server, port: await portOf(server), trips: () => trips };
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
