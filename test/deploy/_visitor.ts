/** A browser with an address of its own. Keeps the BFF's cookies. */

import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { CookieJar } from '../lib/cookie-jar.ts';
import { validationOf } from '../lib/validation-of.ts';
import type { Proxy } from './_nginx.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Wish {
  /** Sent as JSON by POST. */
  readonly body?: object;
  readonly headers?: OutgoingHttpHeaders;
}

export const HOST = 'www.example.com';

export class Visitor {
  readonly #address: string;
  readonly #cookies = new CookieJar();

  /** @param address of loopback, which is a whole network */
  constructor(address: string) {
    this.#address = address;
  }

  /** By TLS. */
  ask({ httpsPort: port, certificate: ca }: Proxy, path: string, wish: Wish = {}): Promise<Answer> {
    return this.#send(httpsRequest, { port, ca, servername: 'localhost', agent: false }, path, wish);
  }

  /** Signs in with the parameters of a return. @returns the status of the validation */
  async signIn(nginx: Proxy, syncReturn: object): Promise<number> {
    const { json } = await this.ask(nginx, '/vestibule/sync', { body: syncReturn });
    return (await this.ask(nginx, '/vestibule/sync/validation', { body: validationOf(json) })).status;
  }

  /** Without TLS. */
  askPlain(port: number, path: string, wish: Wish = {}): Promise<Answer> {
    return this.#send(httpRequest, { port, agent: false }, path, wish);
  }

  async #send(request: typeof httpRequest, options: object, path: string, { body, headers }: Wish): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    request({
      host: '127.0.0.1',
      localAddress: this.#address,
      ...options,
      path,
      method: body ? 'POST' : 'GET',
      headers: {
        Host: HOST,
        Origin: `https://${HOST}`,
        ...(this.#cookies.header !== undefined && { Cookie: this.#cookies.header }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    }, resolve).on('error', reject).end(body && JSON.stringify(body));
    const response = await promise;
    const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString();
    this.#cookies.keep(response.headers['set-cookie'] ?? []);
    const isJson = /json/.test(response.headers['content-type'] ?? '');
    return { status: response.statusCode ?? 0, headers: response.headers, json: isJson ? JSON.parse(text) as Answer['json'] : {} };
  }
}
