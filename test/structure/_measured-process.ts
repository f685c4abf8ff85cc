/**
 * The BFF in a process of its own. Reports which of our source files executed code, by V8's precise coverage.
 * IPC: the configuration arrives first, `{ port }` is the reply. Then each message gets `{ files }`: those that executed code
 * since the previous message.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { Session, type Profiler } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createVestibule, type VestibuleConfig } from '@vestibule/bff';

const OURS = new URL('../../packages/', import.meta.url).href;

const [config] = await once(process, 'message') as [VestibuleConfig];
const vestibule = await createVestibule(config);
const server = createServer(vestibule.router).listen(0, '127.0.0.1');
await once(server, 'listening');

const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
process.send?.({ port: (server.address() as AddressInfo).port });

process.on('message', () => {
  void inspector.post('Profiler.takePreciseCoverage').then(({ result }) => {
    process.send?.({ files: result.filter(hasExecuted).map(({ url }) => fileURLToPath(url)).toSorted() });
  });
});

process.on('disconnect', () => {
  server.closeAllConnections();
  server.close(() => { void vestibule.close(); });
});

function hasExecuted({ url, functions }: Profiler.ScriptCoverage): boolean {
  return url.startsWith(OURS) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
}
