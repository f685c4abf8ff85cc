/** `vestibule` as a process of its own. */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { EmulatedService } from '../service/index.ts';

const MAIN = fileURLToPath(new URL('../../packages/bff/src/main.ts', import.meta.url));

/** How browsers see the BFFs of these tests; where they listen is another thing. */
export const PUBLIC_URL = 'http://www.example.com/vestibule';

export type Variables = Readonly<Record<string, string>>;

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** `{bff}` as it is reached. */
  readonly url: string;
  kill(signal: NodeJS.Signals): void;
  /** When the process has ended. */
  readonly ended: Promise<Ended>;
}

/** A directory for as long as a test needs it. */
export function temporaryDirectory(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'vestibule-process-'));
  return { path, [Symbol.dispose]: () => { rmSync(path, { recursive: true }); } };
}

/** What a BFF before `service` needs to start. */
export function variablesFor(service: EmulatedService): Variables {
  return {
    VESTIBULE_SERVICE_URL: service.url,
    VESTIBULE_PUBLIC_KEY: service.publicKey,
    VESTIBULE_SECRET_KEY: service.secretKey,
    VESTIBULE_FORUMS: 'news',
    VESTIBULE_PUBLIC_URL: PUBLIC_URL,
    VESTIBULE_COOKIE_SECRETS: 'a-cookie-secret-of-at-least-32-bytes',
    VESTIBULE_STORE: 'memory:',
    PORT: '0',
  };
}

/** Runs a command to its end. */
export function runVestibule(args: readonly string[], variables: Variables): Promise<Ended> {
  return endOf(start(args, variables));
}

/** Starts serving; resolves when it listens. */
export async function startProcess(variables: Variables, args: readonly string[] = []): Promise<Running> {
  const child = start(args, variables);
  const ended = endOf(child);
  const port = await Promise.race([portOf(child), ended.then(({ status, stderr }) => {
    throw new Error(`the process ended with ${status}: ${stderr}`);
  })]);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    url: origin + new URL(variables['VESTIBULE_PUBLIC_URL'] ?? '').pathname.replace(/\/$/, ''),
    kill: (signal) => { child.kill(signal); },
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function start(args: readonly string[], variables: Variables): ChildProcess {
  const env = { PATH: process.env['PATH'], ...variables };
  return spawn(process.execPath, ['--conditions=@vestibule/source', MAIN, ...args], { env, cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] });
}

async function endOf(child: ChildProcess): Promise<Ended> {
  const chunks = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => { chunks.stdout += String(chunk); });
  child.stderr?.on('data', (chunk) => { chunks.stderr += String(chunk); });
  const [status, signal] = await once(child, 'close') as [number | null, NodeJS.Signals | null];
  return { status, signal, ...chunks };
}

async function portOf(child: ChildProcess): Promise<number> {
  for await (const line of createInterface({ input: child.stdout as NonNullable<ChildProcess['stdout']> })) {
    const { msg, port } = JSON.parse(line) as { msg?: string; port?: number };
    if (msg === 'listening' && port !== undefined) return port;
  }
  return new Promise<never>(() => undefined);
}

/** Asks a BFF with the cookies that it set, as a page of the publisher's does. */
export class Client {
  cookie: string;

  constructor(cookie = '') {
    this.cookie = cookie;
  }

  async ask(bff: Running, method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, key?: string): Promise<Response> {
    const response = await fetch(bff.url + path, {
      method,
      redirect: 'manual',
      headers: {
        Connection: 'close',
        Origin: new URL(PUBLIC_URL).origin,
        ...(this.cookie !== '' && { Cookie: this.cookie }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const [line] = response.headers.getSetCookie();
    if (line !== undefined) this.cookie = line.split(';')[0] ?? '';
    return response;
  }

  /** The main road up to the signed-in state. */
  async signIn(bff: Running, service: EmulatedService): Promise<void> {
    await this.ask(bff, 'POST', '/sync', service.issueReturn({ redirectUri: `${PUBLIC_URL}/sync/return` }));
    const { status } = await this.ask(bff, 'POST', '/sync/validation', { answers: {} });
    if (status !== 200) throw new Error(`the sign-in ended with ${status}`);
  }

  createPost(bff: Running, message: string, key: string): Promise<Response> {
    return this.ask(bff, 'POST', '/posts', { forum: 'news', message }, key);
  }

  async state(bff: Running): Promise<unknown> {
    return (await (await this.ask(bff, 'GET', '/session')).json() as { state: unknown }).state;
  }
}
