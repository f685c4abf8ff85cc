/**
 * Proxies with a published configuration: nginx with `deploy/nginx.conf`, and nginx, Apache and Caddy with the blocks of
 * `docs/install.md`. Ports, certificate and writable paths are replaced by those of the test; each replacement must match.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeBlocks } from '../docs/_documents.ts';
import { endProcess } from '../lib/end-process.ts';
import { freePort } from '../lib/free-port.ts';
import { makeSelfSigned } from '../tls/self-signed.ts';

const deployFile = new URL('../../packages/bff/deploy/nginx.conf', import.meta.url);

const INSTALL = 'docs/install.md';

export interface Proxy extends AsyncDisposable {
  /** Of its first process. */
  readonly pid: number;
  readonly httpsPort: number;
  /** Without TLS; nothing listens there with a configuration of the documentation. */
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
export function startNginx([first, second]: readonly [number, number]): Promise<Proxy> {
  return start(runNginx, async ({ directory, httpsPort, httpPort }) => replaced(await readFile(deployFile, 'utf8'), {
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

/** nginx with the block of the documentation, included in a main configuration as distributions bring it.
 *  @param port of the BFF on loopback */
export function startDocumentedNginx(port: number): Promise<Proxy> {
  return start(runNginx, async ({ directory, httpsPort }) => {
    const block = replaced(await documentedBlock('nginx'), {
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

/** Apache with the block of the documentation, and the modules that it names. @param port of the BFF on loopback */
export function startDocumentedApache(port: number): Promise<Proxy> {
  const runApache = (directory: string, file: string) => (
    spawn(process.env['APACHE_PATH'] || '/usr/sbin/apache2', ['-d', directory, '-f', file, '-DFOREGROUND'])
  );
  return start(runApache, async ({ directory, httpsPort }) => {
    const block = replaced(await documentedBlock('apache'), {
      '*:443': `127.0.0.1:${httpsPort}`,
      '127.0.0.1:8080': `127.0.0.1:${port}`,
      '/etc/apache2/tls/': `${directory}/`,
      '/var/log/apache2/vestibule.log': `${directory}/access.log`,
      '/var/log/apache2/vestibule-error.log': `${directory}/error.log`,
    });
    const modules = ['mpm_event', 'authz_core', 'ssl', 'proxy', 'proxy_http', 'headers', 'reqtimeout'];
    return [
      ...modules.map((name) => `LoadModule ${name}_module ${process.env['APACHE_MODULES_PATH'] || '/usr/lib/apache2/modules'}/mod_${name}.so`),
      // Debian sets both in apache2.conf; without them a worker that root starts looks for the name of user -1.
      ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
      `Listen 127.0.0.1:${httpsPort}`, 'ServerName localhost', `PidFile ${directory}/apache.pid`, `ErrorLog ${directory}/main-error.log`, block,
    ].join('\n');
  });
}

/** Caddy with the block of the documentation. @param port of the BFF on loopback */
export function startDocumentedCaddy(port: number): Promise<Proxy> {
  const runCaddy = (directory: string, file: string) => {
    const child = spawn(process.env['CADDY_PATH'] || 'caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
      env: { HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }, stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.pipe(createWriteStream(join(directory, 'main-error.log')));
    return child;
  };
  return start(runCaddy, async ({ directory, httpsPort, httpPort }) => replaced(await documentedBlock('caddy'), {
    '{\n\tlog {\n\t\texclude': `{\n\tadmin off\n\thttps_port ${httpsPort}\n\thttp_port ${httpPort}\n\tdefault_bind 127.0.0.1\n\tauto_https disable_redirects\n\tlog {\n\t\texclude`,
    '127.0.0.1:8080': `127.0.0.1:${port}`,
    '/etc/caddy/tls/': `${directory}/`,
    '/var/log/caddy/vestibule.log': `${directory}/access.log`,
  }));
}

async function documentedBlock(language: string): Promise<string> {
  const [block, ...more] = (await codeBlocks(language)).filter(({ document }) => document === INSTALL);
  if (!block || more.length > 0) throw new Error(`${INSTALL} has ${block ? 'several blocks' : 'no block'} of ${language} instead of one.`);
  return block.code;
}

/** nginx with a configuration of the test, which listens on `httpsPort`. */
export function startNginxWith(configFor: (place: Place) => Promise<string>): Promise<Proxy> {
  return start(runNginx, configFor);
}

function runNginx(directory: string, file: string): ChildProcess {
  const path = process.env['NGINX_PATH'] || '/usr/sbin/nginx';
  return spawn(path, ['-p', directory, '-c', file, '-e', join(directory, 'error.log'), '-g', 'daemon off;']);
}

async function start(
  run: (directory: string, file: string) => ChildProcess,
  configFor: (place: Place) => Promise<string>,
): Promise<Proxy> {
  const directory = await mkdtemp(join(tmpdir(), 'vestibule-proxy-'));
  await chmod(directory, 0o755);
  const [httpsPort, httpPort] = [await freePort(), await freePort()];
  const { certificate, key } = makeSelfSigned();
  await writeFile(join(directory, 'tls.crt'), certificate);
  await writeFile(join(directory, 'tls.key'), key, { mode: 0o600 });
  const file = join(directory, 'proxy.conf');
  await writeFile(file, await configFor({ directory, httpsPort, httpPort }));
  const read = (name: string) => readFile(join(directory, name), 'utf8').catch(() => '');
  const child = run(directory, file);
  const proxy: Proxy = {
    pid: child.pid as number,
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
    while (child.exitCode === null && !await isListening(httpsPort)) await pause(20);
    if (child.exitCode !== null) throw new Error(`The proxy exited:\n${await proxy.logs()}`);
    return proxy;
  } catch (error) {
    await proxy[Symbol.asyncDispose]();
    throw error;
  }
}

function replaced(text: string, replacements: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [from, to] of Object.entries(replacements)) {
    if (!result.includes(from)) throw new Error(`The configuration does not contain "${from}".`);
    result = result.replaceAll(from, to);
  }
  return result;
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect').then(() => true, () => false).finally(() => socket.destroy());
}
