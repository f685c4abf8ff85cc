/**
 * A real Redis for the tests: `redis-server` on a free loopback port, in its own directory. It can be killed, suspended and
 * restarted on the same port with the same files.
 *
 * The files are in memory if the system offers that, and each write is synced before its reply: with `appendfsync everysec`, a
 * Redis on a busy machine acknowledges writes up to two seconds before it writes them, and a kill would lose them.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RedisStore } from '../../packages/bff/src/store/redis-store.ts';
import { endProcess } from '../lib/end-process.ts';
import { freePort } from '../lib/free-port.ts';
import { MEMORY } from '../lib/temporary-directory.ts';
import type { SelfSigned } from '../tls/self-signed.ts';

export interface RedisServerOptions {
  /** Default true. */
  readonly appendOnly?: boolean;
  readonly password?: string;
  readonly cluster?: boolean;
  /** A Sentinel instead of a server. */
  readonly sentinel?: { readonly master: string; readonly port: number; readonly quorum: number };
  /** Listens for TLS only. */
  readonly tls?: SelfSigned;
  /** Further settings: name, value, name, value… */
  readonly settings?: readonly string[];
  /** Parent of its directory. Default: in memory. */
  readonly parent?: string;
}

/** Servers that run. They end with this process, also if a runner ends it before its tests do. */
const running = new Set<RedisServer>();
process.once('exit', () => { for (const server of running) server.endAtOnce(); });
process.once('SIGTERM', () => { process.exit(143); });

export class RedisServer implements AsyncDisposable {
  readonly port: number;
  /** Port of the cluster bus. */
  readonly busPort: number;
  readonly #directory: string;
  readonly #arguments: readonly string[];
  #child: ChildProcess | undefined;

  constructor({ port, busPort }: { port: number; busPort: number }, directory: string, args: readonly string[]) {
    this.port = port;
    this.busPort = busPort;
    this.#directory = directory;
    this.#arguments = args;
  }

  /** `127.0.0.1:PORT` */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Process id while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Settles when it accepts commands. */
  async start(): Promise<void> {
    const program = process.env['REDIS_SERVER_PATH'] || 'redis-server';
    const child = spawn(program, this.#arguments, {
      cwd: this.#directory, stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    running.add(this);
    const output: string[] = [];
    const lines = createInterface(child.stdout);
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    lines.on('line', (line) => {
      output.push(line);
      if (/Ready to accept connections|\+monitor master/.test(line)) resolve();
    });
    child.once('error', reject).once('close', () => { reject(new Error(`redis-server ended:\n${output.join('\n')}`)); });
    await ready;
  }

  /** Ends it with SIGKILL. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    running.delete(this);
    if (child) await endProcess(child, 'SIGKILL');
  }

  endAtOnce(): void {
    this.#child?.kill('SIGKILL');
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Keeps its connections open and answers nothing until `resume`. */
  suspend(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** A replica is synchronized at once, and acknowledges its first offset after a second, with the first ping. */
const REPLICATION_SETTINGS = ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1'];

/** Short times, so that a test sees a failover. */
function sentinelConfiguration({ master, port, quorum }: NonNullable<RedisServerOptions['sentinel']>): string {
  return [
    `sentinel monitor ${master} 127.0.0.1 ${port} ${quorum}`,
    `sentinel down-after-milliseconds ${master} 1000`,
    `sentinel failover-timeout ${master} 5000`,
    '',
  ].join('\n');
}

const TLS_SETTINGS = [
  '--port', '0', '--tls-cert-file', 'tls.crt', '--tls-key-file', 'tls.key', '--tls-ca-cert-file', 'tls.crt', '--tls-auth-clients', 'no',
  '--tls-cluster', 'yes',
];

export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const { appendOnly = true, password, cluster = false, sentinel, tls, settings = [], parent = MEMORY } = options;
  const directory = await mkdtemp(join(parent, 'vestibule-redis-'));
  const port = await freePort();
  const busPort = await freePort();
  if (tls) {
    await writeFile(join(directory, 'tls.crt'), tls.certificate);
    await writeFile(join(directory, 'tls.key'), tls.key, { mode: 0o600 });
  }
  if (sentinel) await writeFile(join(directory, 'sentinel.conf'), sentinelConfiguration(sentinel));
  const server = new RedisServer({ port, busPort }, directory, [
    ...(sentinel ? ['sentinel.conf', '--sentinel'] : ['--save', '', '--appendonly', appendOnly ? 'yes' : 'no', '--appendfsync', 'always', ...REPLICATION_SETTINGS]),
    '--port', String(port),
    '--bind', '127.0.0.1',
    '--dir', directory,
    ...(password === undefined ? [] : ['--requirepass', password]),
    ...(cluster ? ['--cluster-enabled', 'yes', '--cluster-port', String(busPort), '--cluster-node-timeout', '2000'] : []),
    ...(tls ? [...TLS_SETTINGS, '--tls-port', String(port)] : []),
    ...settings,
  ]);
  try {
    await server.start();
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** Lets time pass on the server: shortens what each key has left. */
export async function advance({ connection }: RedisStore, ms: number): Promise<void> {
  for (const { send } of await connection.masters()) {
    const keys = await send(['KEYS', '*']) as readonly string[];
    await Promise.all(keys.map(async (key) => {
      const remainingMs = Number(await send(['PTTL', key]));
      if (remainingMs >= 0) await send(['PEXPIRE', key, String(remainingMs - ms)]);
    }));
  }
}
