/** BFF processes that browsers reach as `http://www.example.com/vestibule`, and clients. */

import { tmpdir } from 'node:os';
import { CookieJar } from '../lib/cookie-jar.ts';
import { validationOf } from '../lib/validation-of.ts';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import type { EmulatedService } from '../service/index.ts';

/** The public URL. The processes listen on loopback. */
export const PUBLIC_URL = 'http://www.example.com/vestibule';

export interface Running extends AsyncDisposable {
  readonly process: VestibuleProcess;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** `{bff}` on loopback. */
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

/** Keeps cookies and sends what a page of the publisher sends. */
export class Client {
  readonly cookies = new CookieJar();

  async ask(bff: Running, method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown, key?: string): Promise<Response> {
    const response = await fetch(bff.url + path, {
      method,
      redirect: 'manual',
      headers: {
        Connection: 'close',
        Origin: new URL(PUBLIC_URL).origin,
        ...(this.cookies.header !== undefined && { Cookie: this.cookies.header }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    this.cookies.keep(response.headers.getSetCookie());
    return response;
  }

  /** Starts a sign-in. @returns the body of its validation */
  async begin(bff: Running, syncReturn: object, answers: object = {}): Promise<object> {
    return validationOf(await (await this.ask(bff, 'POST', '/sync', syncReturn)).json(), answers);
  }

  async signIn(bff: Running, service: EmulatedService): Promise<void> {
    const validation = await this.begin(bff, service.issueReturn({ redirectUri: `${PUBLIC_URL}/sync/return` }));
    const { status } = await this.ask(bff, 'POST', '/sync/validation', validation);
    if (status !== 200) throw new Error(`The sign-in ended with ${status}.`);
  }

  createPost(bff: Running, message: string, key: string): Promise<Response> {
    return this.ask(bff, 'POST', '/posts', { forum: 'news', message }, key);
  }

  async state(bff: Running): Promise<unknown> {
    return (await (await this.ask(bff, 'GET', '/session')).json() as { state: unknown }).state;
  }
}
