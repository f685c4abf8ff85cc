/** BFFs as processes of their own, as `http://www.example.com/vestibule` to browsers, and clients that ask them. */

import { tmpdir } from 'node:os';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import type { EmulatedService } from '../service/index.ts';

/** How browsers see the BFFs of these tests; where they listen is another thing. */
export const PUBLIC_URL = 'http://www.example.com/vestibule';

export interface Running extends AsyncDisposable {
  readonly process: VestibuleProcess;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** `{bff}` as it is reached. */
  readonly url: string;
}

/** Starts serving; resolves when it listens. */
export async function startProcess(env: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<Running> {
  const process = new VestibuleProcess({ args, env, cwd: tmpdir() });
  const origin = await process.origin();
  return {
    process,
    origin,
    url: origin + new URL(env['VESTIBULE_PUBLIC_URL'] ?? '').pathname.replace(/\/$/, ''),
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  };
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
