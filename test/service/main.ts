/** The emulated service as a process of its own. Settings come from the environment; the first line on standard output
 *  is JSON with its address once it listens. `SIGTERM` and `SIGINT` end it.
 *
 *  | variable | meaning |
 *  | --- | --- |
 *  | `SERVICE_PUBLIC_KEY`, `SERVICE_SECRET_KEY` | required |
 *  | `SERVICE_REDIRECT_URIS` | comma-separated, exact; required |
 *  | `SERVICE_FORUMS` | comma-separated; default `news` |
 *  | `SERVICE_READERS` | how many readers the entrance knows, `user_id`s from 1; default the demonstration's |
 *  | `SERVICE_BASE_PATH`, `SERVICE_PUBLIC_URL` | default none |
 *  | `SERVICE_FAULTS` | JSON: endpoint → mix of faults; default none |
 *  | `SERVICE_SEED` | of the mix; default 1 |
 *  | `HOST`, `PORT` | default `127.0.0.1`, any free one |
 */

import { startEmulatedService } from './emulated-service.ts';
import type { LikelyFault } from './faults.ts';
import type { ServiceOptions } from './options.ts';
import type { EndpointName } from './request.ts';

const { env } = process;
const service = await startEmulatedService(readOptions());
for (const [endpoint, mix] of Object.entries(JSON.parse(env['SERVICE_FAULTS'] ?? '{}') as Record<EndpointName, LikelyFault[]>)) {
  service.faults.mix(endpoint as EndpointName, mix, Number(env['SERVICE_SEED'] ?? 1));
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void service[Symbol.asyncDispose]());
}
process.stdout.write(`${JSON.stringify({ url: service.url, publicKey: service.publicKey })}\n`);

function readOptions(): ServiceOptions {
  const readers = Number(env['SERVICE_READERS'] ?? 0);
  return {
    host: env['HOST'] ?? '127.0.0.1',
    port: Number(env['PORT'] ?? 0),
    publicKey: required('SERVICE_PUBLIC_KEY'),
    secretKey: required('SERVICE_SECRET_KEY'),
    redirectUris: required('SERVICE_REDIRECT_URIS').split(','),
    forums: (env['SERVICE_FORUMS'] ?? 'news').split(','),
    basePath: env['SERVICE_BASE_PATH'] ?? '',
    recordRequests: false,
    ...(env['SERVICE_PUBLIC_URL'] === undefined ? {} : { publicUrl: env['SERVICE_PUBLIC_URL'] }),
    ...(readers > 0 ? { readers: Array.from({ length: readers }, (_, i) => ({ user_id: String(i + 1), username: `Reader ${i + 1}` })) } : {}),
  };
}

function required(name: string): string {
  const value = env[name];
  if (value) return value;
  process.stderr.write(`${name} is not set\n`);
  process.exit(78);
}
