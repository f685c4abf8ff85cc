/** A real Redis for the tests: `redis-server` on a free loopback port, in a directory of its own. It can be killed, held
 *  still and started again on the same port with what it kept.
 *
 *  Its files lie in memory where the system has such a place. With `appendfsync everysec` a Redis whose disk is busy puts
 *  off writing for up to two seconds and acknowledges all the same, so a kill in between would lose what it said it kept. */

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endProcess } from '../lib/end-process.ts';
import { freePort } from '../lib/free-port.ts';
import type { SelfSigned } from '../tls/self-signed.ts';

export interface RedisServerOptions {
  /** Default true. */
  readonly appendOnly?: boolean;
  readonly password?: string;
  readonly cluster?: boolean;
  /** Listens for TLS only. */
  readonly tls?: SelfSigned;
  /** More of `redis.conf`, name and value by turns. */
  readonly settings?: readonly string[];
  /** Where its directory is made. Default: in memory. */
  readonly parent?: string;
}

export class RedisServer implements AsyncDisposable {
  readonly port: number;
  /** Where the nodes of a cluster talk to each other. */
  readonly busPort: number;
  readonly #directory: string;
  readonly #settings: readonly string[];
  #child: ChildProcess | undefined;

  constructor({ port, busPort }: { port: number; busPort: number }, directory: string, settings: readonly string[]) {
    this.port = port;
    this.busPort = busPort;
    this.#directory = directory;
    this.#settings = settings;
  }

  /** `127.0.0.1:PORT` */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Of its process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it, with what it kept. Settles when it takes commands. */
  async start(): Promise<void> {
    const program = process.env['REDIS_SERVER_PATH'] || 'redis-server';
    const child = spawn(program, ['--port', String(this.port), ...this.#settings], {
      cwd: this.#directory, stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const said: string[] = [];
    const lines = createInterface(child.stdout);
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
    lines.on('line', (line) => {
      said.push(line);
      if (line.includes('Ready to accept connections')) resolve();
    });
    child.once('error', reject).once('close', () => { reject(new Error(`redis-server ended:\n${said.join('\n')}`)); });
    await ready;
  }

  /** Ends it at once, as a loss of the machine would. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child) await endProcess(child, 'SIGKILL');
  }

  /** From now on it holds its connections and answers nothing. */
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

const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

const TLS_SETTINGS = ['--port', '0', '--tls-cert-file', 'tls.crt', '--tls-key-file', 'tls.key', '--tls-auth-clients', 'no'];

export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  const { appendOnly = true, password, cluster = false, tls, settings = [], parent = MEMORY } = options;
  const directory = await mkdtemp(join(parent, 'vestibule-redis-'));
  const port = await freePort();
  const busPort = await freePort();
  if (tls) {
    await writeFile(join(directory, 'tls.crt'), tls.certificate);
    await writeFile(join(directory, 'tls.key'), tls.key, { mode: 0o600 });
  }
  const server = new RedisServer({ port, busPort }, directory, [
    '--bind', '127.0.0.1',
    '--dir', directory,
    '--save', '',
    '--appendonly', appendOnly ? 'yes' : 'no',
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
