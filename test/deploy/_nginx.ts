/** nginx with the published `deploy/nginx.conf`, or with `deploy/nginx-site.conf` in a configuration as Debian has it. Ports,
 *  certificate and paths are those of the test. */

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

type Changes = (path: string, httpsPort: number, httpPort: number) => Readonly<Record<string, string>>;

/** @returns the whole configuration, of which `text` is a part */
type Around = (text: string, path: string, httpsPort: number, httpPort: number) => string | Promise<string>;

const changesOfWhole = ([first, second]: readonly [string, string]): Changes => (path, httpsPort, httpPort) => ({
  'listen 443 ssl;\n    http2 on;': `listen 127.0.0.1:${httpsPort} ssl http2;`, // for the nginx of Debian 12
  'listen 80;': `listen 127.0.0.1:${httpPort};`,
  'bff-1:8080': first,
  'bff-2:8080': second,
  'worker_processes auto': 'worker_processes 1',
  '/etc/nginx/tls/': `${import.meta.dirname}/`,
  '/dev/stderr': `${path}/error.log`,
  '/dev/stdout': `${path}/access.log`,
  '/tmp/nginx': `${path}/nginx`,
});

const changesOfSite = (bff: string): Changes => (path, httpsPort) => ({
  'listen 443 ssl;': `listen 127.0.0.1:${httpsPort} ssl;`,
  '127.0.0.1:8080': bff,
  '/etc/ssl/certs/www.example.com.pem': `${import.meta.dirname}/tls.crt`,
  '/etc/ssl/private/www.example.com.key': `${import.meta.dirname}/tls.key`,
  '/var/log/nginx/vestibule.log': `${path}/access.log`,
  '/var/log/nginx/vestibule-error.log': `${path}/error.log`,
  '/srv/vestibule-assets': path,
  '/var/www/html': path,
});

/** As the nginx.conf of Debian, which includes sites. */
const inDebian: Around = (sites, path, _, httpPort) => `pid ${path}/pid; error_log ${path}/error.log;
  events {}
  http {
    include /etc/nginx/mime.types;
    ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${path}/${name};`).join(' ')}
    access_log ${path}/other.log;
    server { listen 127.0.0.1:${httpPort}; return 308 https://www.example.com$request_uri; }
    ${sites}
  }`;

/** @param upstreams where the two BFFs listen, such as `127.0.0.1:8080` */
export function startNginx(upstreams: readonly [string, string]): Promise<Nginx> {
  return start('nginx.conf', changesOfWhole(upstreams), (text) => text);
}

/** @param bff where it listens */
export function startNginxSite(bff: string): Promise<Nginx> {
  return start('nginx-site.conf', changesOfSite(bff), inDebian);
}

async function start(name: string, changes: Changes, around: Around): Promise<Nginx> {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryDirectory());
  await chmod(path, 0o755);
  const [httpsPort, httpPort] = [await freePort(), await freePort()];
  let config = await readFile(new URL(`../../packages/bff/deploy/${name}`, import.meta.url), 'utf8');
  for (const [from, to] of Object.entries(changes(path, httpsPort, httpPort))) {
    if (!config.includes(from)) throw new Error(`${name} does not contain "${from}".`);
    config = config.replaceAll(from, to);
  }
  await writeFile(join(path, 'nginx.conf'), await around(config, path, httpsPort, httpPort));
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
