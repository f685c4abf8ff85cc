/** `redis-server` on a free loopback port with its own directory in memory. Each write is synced before its reply, so that a kill
 *  loses none. */

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { endProcess } from './end-process.ts';
import { freePort } from './free-port.ts';
import { temporaryDirectory, type TemporaryDirectory } from './temporary-directory.ts';

const SETTINGS = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always', '--bind', '127.0.0.1'];

const CLUSTER_SETTINGS = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--repl-diskless-sync-delay', '0'];

/** Servers that run. They do not outlive this process. */
const running = new Set<ChildProcess>();
process.once('exit', () => { for (const child of running) child.kill('SIGKILL'); });

export class RedisServer implements AsyncDisposable {
  readonly port: number;
  readonly #directory: TemporaryDirectory;
  readonly #arguments: readonly string[];
  #child: ChildProcess | undefined;

  constructor(port: number, directory: TemporaryDirectory, settings: readonly string[]) {
    this.port = port;
    this.#directory = directory;
    this.#arguments = [...SETTINGS, '--port', String(port), '--dir', directory.path, ...settings];
  }

  /** `127.0.0.1:PORT` */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Settles when it accepts commands. */
  async start(): Promise<void> {
    const child = spawn('redis-server', this.#arguments, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child = child;
    running.add(child);
    child.once('close', () => { running.delete(child); });
    const ready = Promise.withResolvers<void>();
    const output: string[] = [];
    createInterface(child.stdout).on('line', (line) => {
      output.push(line);
      if (line.includes('Ready to accept connections')) ready.resolve();
    });
    child.once('error', ready.reject).once('close', () => { ready.reject(new Error(`redis-server ended:\n${output.join('\n')}`)); });
    await ready.promise;
  }

  /** Ends it with SIGKILL. Its files stay for `start`. */
  async kill(): Promise<void> {
    if (this.#child) await endProcess(this.#child, 'SIGKILL');
  }

  /** Runs a command. @returns what `redis-cli` prints */
  async command(...command: readonly string[]): Promise<string> {
    return (await promisify(execFile)('redis-cli', ['-p', String(this.port), ...command])).stdout.trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.#directory[Symbol.asyncDispose]();
  }
}

/** @param options `settings`: further arguments */
export async function startRedis({ settings = [] }: { readonly settings?: readonly string[] } = {}): Promise<RedisServer> {
  const server = new RedisServer(await freePort(), await temporaryDirectory(), settings);
  await server.start();
  return server;
}

/** Three masters with a replica each. Settles when they share the slots. */
export async function startRedisCluster(): Promise<AsyncDisposable & { readonly servers: readonly RedisServer[] }> {
  await using stack = new AsyncDisposableStack();
  const servers: RedisServer[] = [];
  for (let i = 0; i < 6; i += 1) {
    servers.push(stack.use(await startRedis({ settings: [...CLUSTER_SETTINGS, '--cluster-port', String(await freePort())] })));
  }
  const cli = spawn('redis-cli', ['--cluster', 'create', ...servers.map(({ host }) => host), '--cluster-replicas', '1', '--cluster-yes']);
  cli.stdout.resume();
  if ((await once(cli, 'exit'))[0] !== 0) throw new Error('redis-cli could not create the cluster.');
  const disposal = stack.move();
  return { servers, [Symbol.asyncDispose]: () => disposal.disposeAsync() };
}
