/**
 * nginx with a published configuration: `deploy/nginx.conf`, or the block of the README. Ports, certificate and writable
 * paths are replaced by those of the test; each replacement must match.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeBlocks } from '../docs/_documents.ts';
import { endProcess } from '../lib/end-process.ts';
import { freePort } from '../lib/free-port.ts';
import { makeSelfSigned } from '../tls/self-signed.ts';

const deployFile = new URL('../../packages/bff/deploy/nginx.conf', import.meta.url);

export interface Nginx extends AsyncDisposable {
  readonly httpsPort: number;
  /** Without TLS; nothing listens there with the README's configuration. */
  readonly httpPort: number;
  /** PEM. */
  readonly certificate: string;
  /** One object per request so far; only `deploy/nginx.conf` logs JSON. */
  accessLog(): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Every log as it is. */
  logs(): Promise<string>;
}

interface Place {
  readonly directory: string;
  readonly httpsPort: number;
  readonly httpPort: number;
}

/** With `deploy/nginx.conf`. @param ports where the two BFFs listen on loopback */
export function startNginx([first, second]: readonly [number, number]): Promise<Nginx> {
  return start(async ({ directory, httpsPort, httpPort }) => replaced(await readFile(deployFile, 'utf8'), {
    'listen 443 ': `listen 127.0.0.1:${httpsPort} `,
    'listen 80;': `listen 127.0.0.1:${httpPort};`,
    'bff-1:8080': `127.0.0.1:${first}`,
    'bff-2:8080': `127.0.0.1:${second}`,
    'worker_processes auto': 'worker_processes 1',
    '/etc/nginx/tls/': `${directory}/`,
    '/dev/stderr': `${directory}/error.log`,
    '/dev/stdout': `${directory}/access.log`,
    '/tmp/nginx': `${directory}/nginx`,
  }));
}

/** With the README's block, included in a main configuration as distributions bring it. @param port of the BFF on loopback */
export function startReadmeNginx(port: number): Promise<Nginx> {
  return start(async ({ directory, httpsPort }) => {
    const blocks = (await codeBlocks('nginx')).filter(({ document }) => document === 'README.md');
    if (blocks.length !== 1) throw new Error(`README.md has ${blocks.length} nginx blocks instead of one.`);
    const block = replaced(blocks[0]?.code ?? '', {
      'listen 443 ': `listen 127.0.0.1:${httpsPort} `,
      '127.0.0.1:8080': `127.0.0.1:${port}`,
      '/etc/nginx/tls/': `${directory}/`,
      '/var/log/nginx/vestibule.log': `${directory}/access.log`,
      '/var/log/nginx/vestibule-error.log': `${directory}/error.log`,
    });
    const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`);
    return [
      'worker_rlimit_nofile 16384;', `pid ${directory}/nginx.pid;`, `error_log ${directory}/main-error.log;`,
      'events { worker_connections 8192; }', 'http {', 'access_log off;', ...temporaryPaths, block, '}',
    ].join('\n');
  });
}

async function start(configFor: (place: Place) => Promise<string>): Promise<Nginx> {
  const directory = await mkdtemp(join(tmpdir(), 'vestibule-nginx-'));
  await chmod(directory, 0o755);
  const [httpsPort, httpPort] = [await freePort(), await freePort()];
  const { certificate, key } = makeSelfSigned();
  await writeFile(join(directory, 'tls.crt'), certificate);
  await writeFile(join(directory, 'tls.key'), key, { mode: 0o600 });
  const file = join(directory, 'nginx.conf');
  await writeFile(file, await configFor({ directory, httpsPort, httpPort }));
  const read = (name: string) => readFile(join(directory, name), 'utf8').catch(() => '');
  const child = spawn(process.env['NGINX_PATH'] || '/usr/sbin/nginx', ['-p', directory, '-c', file, '-e', join(directory, 'error.log'), '-g', 'daemon off;']);
  const nginx: Nginx = {
    httpsPort,
    httpPort,
    certificate,
    accessLog: async () => (await read('access.log')).trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>),
    logs: async () => (await Promise.all(['access.log', 'error.log', 'main-error.log'].map(read))).join('\n'),
    async [Symbol.asyncDispose]() {
      await endProcess(child);
      await rm(directory, { recursive: true });
    },
  };
  try {
    while (child.exitCode === null && !await isListening(httpsPort));
    if (child.exitCode !== null) throw new Error(`nginx exited:\n${await nginx.logs()}`);
    return nginx;
  } catch (error) {
    await nginx[Symbol.asyncDispose]();
    throw error;
  }
}

function replaced(text: string, replacements: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [from, to] of Object.entries(replacements)) {
    if (!result.includes(from)) throw new Error(`The nginx configuration does not contain "${from}".`);
    result = result.replaceAll(from, to);
  }
  return result;
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect').then(() => true, () => false).finally(() => socket.destroy());
}
