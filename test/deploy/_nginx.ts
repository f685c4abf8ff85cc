/** nginx with the published configuration. What is the machine's in it, ports, the certificate's place, where it may write,
 *  is replaced; each replacement must find what it replaces. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess } from '../lib/end-process.ts';
import { freePort } from '../lib/free-port.ts';
import { makeSelfSigned } from '../tls/self-signed.ts';

const published = new URL('../../packages/bff/deploy/nginx.conf', import.meta.url);

export interface Nginx extends AsyncDisposable {
  readonly httpsPort: number;
  readonly httpPort: number;
  /** PEM. */
  readonly certificate: string;
  /** One object a request so far. */
  accessLog(): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** @param bffPorts where the two BFFs listen on loopback */
export async function startNginx([first, second]: readonly [number, number]): Promise<Nginx> {
  const directory = await mkdtemp(join(tmpdir(), 'vestibule-nginx-'));
  await chmod(directory, 0o755);
  const [httpsPort, httpPort] = [await freePort(), await freePort()];
  const { certificate, key } = makeSelfSigned();
  await writeFile(join(directory, 'tls.crt'), certificate);
  await writeFile(join(directory, 'tls.key'), key, { mode: 0o600 });
  const config = replaced(await readFile(published, 'utf8'), {
    'listen 443 ': `listen 127.0.0.1:${httpsPort} `,
    'listen 80;': `listen 127.0.0.1:${httpPort};`,
    'bff-1:8080': `127.0.0.1:${first}`,
    'bff-2:8080': `127.0.0.1:${second}`,
    'worker_processes auto': 'worker_processes 1',
    '/etc/nginx/tls/': `${directory}/`,
    '/dev/stderr': `${directory}/error.log`,
    '/dev/stdout': `${directory}/access.log`,
    '/tmp/nginx': `${directory}/nginx`,
  });
  const file = join(directory, 'nginx.conf');
  await writeFile(file, config);
  const child = spawn(process.env['NGINX_PATH'] || '/usr/sbin/nginx', ['-p', directory, '-c', file, '-e', join(directory, 'error.log'), '-g', 'daemon off;']);
  const nginx: Nginx = {
    httpsPort,
    httpPort,
    certificate,
    accessLog: async () => (await readFile(join(directory, 'access.log'), 'utf8')).trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>),
    async [Symbol.asyncDispose]() {
      await endProcess(child);
      await rm(directory, { recursive: true });
    },
  };
  try {
    while (child.exitCode === null && !await isListening(httpsPort));
    if (child.exitCode !== null) throw new Error(`nginx ended:\n${await readFile(join(directory, 'error.log'), 'utf8')}`);
    return nginx;
  } catch (error) {
    await nginx[Symbol.asyncDispose]();
    throw error;
  }
}

function replaced(text: string, replacements: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [from, to] of Object.entries(replacements)) {
    if (!result.includes(from)) throw new Error(`nginx.conf holds no "${from}"`);
    result = result.replaceAll(from, to);
  }
  return result;
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect').then(() => true, () => false).finally(() => socket.destroy());
}
