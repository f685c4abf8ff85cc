/** nginx with the published `deploy/nginx.conf`. Ports, certificate and paths are those of the test. */

import { spawn } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess } from '../lib/end-process.ts';
import { freePort } from '../lib/free-port.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';

export interface Nginx extends AsyncDisposable {
  readonly https: string;
  readonly http: string;
  /** One object per request. */
  accessLog(): Promise<readonly Readonly<Record<string, unknown>>[]>;
  errorLog(): Promise<string>;
}

/** Self-signed, for 127.0.0.1, only for these tests. */
export const certificate = await readFile(join(import.meta.dirname, 'tls.crt'), 'utf8');

/** @param upstreams where the two BFFs listen, such as `127.0.0.1:8080` */
export async function startNginx([first, second]: readonly [string, string]): Promise<Nginx> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  await chmod(path, 0o755);
  const [httpsPort, httpPort] = [await freePort(), await freePort()];
  let config = await readFile(new URL('../../packages/bff/deploy/nginx.conf', import.meta.url), 'utf8');
  for (const [from, to] of Object.entries({
    'listen 443 ': `listen 127.0.0.1:${httpsPort} `,
    'listen 80;': `listen 127.0.0.1:${httpPort};`,
    'bff-1:8080': first,
    'bff-2:8080': second,
    'worker_processes auto': 'worker_processes 1',
    '/etc/nginx/tls/': `${import.meta.dirname}/`,
    '/dev/stderr': `${path}/error.log`,
    '/dev/stdout': `${path}/access.log`,
    '/tmp/nginx': `${path}/nginx`,
  })) {
    if (!config.includes(from)) throw new Error(`nginx.conf does not contain "${from}".`);
    config = config.replaceAll(from, to);
  }
  await writeFile(join(path, 'nginx.conf'), config);
  const child = spawn(process.env['NGINX_PATH'] ?? '/usr/sbin/nginx', ['-p', path, '-c', `${path}/nginx.conf`, '-e', `${path}/error.log`, '-g', 'daemon off;']);
  stack.defer(() => endProcess(child));
  const read = (name: string) => readFile(join(path, name), 'utf8').catch(() => '');
  await until('nginx listens', async () => {
    if (child.exitCode !== null) throw new Error(`nginx exited:\n${await read('error.log')}`);
    return (await fetch(`http://127.0.0.1:${httpPort}`, { redirect: 'manual' })).status === 308;
  });
  const started = stack.move();
  return {
    https: `https://127.0.0.1:${httpsPort}`,
    http: `http://127.0.0.1:${httpPort}`,
    accessLog: async () => (await read('access.log')).trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>),
    errorLog: () => read('error.log'),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}
