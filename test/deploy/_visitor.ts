/** A browser somewhere: comes from an address of its own, keeps the BFF's cookie, and asks through whatever it is given. */

import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Nginx } from './_nginx.ts';

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
  cookie = '';

  /** @param address of loopback, which is a whole network */
  constructor(address: string) {
    this.#address = address;
  }

  /** By TLS. */
  ask({ httpsPort: port, certificate: ca }: Nginx, path: string, wish: Wish = {}): Promise<Answer> {
    return this.#send(httpsRequest, { port, ca, servername: 'localhost', agent: false }, path, wish);
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
        ...(this.cookie !== '' && { Cookie: this.cookie }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
    }, resolve).on('error', reject).end(body && JSON.stringify(body));
    const response = await promise;
    const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString();
    const [line] = response.headers['set-cookie'] ?? [];
    if (line !== undefined) this.cookie = line.split(';')[0] ?? '';
    const isJson = /json/.test(response.headers['content-type'] ?? '');
    return { status: response.statusCode ?? 0, headers: response.headers, json: isJson ? JSON.parse(text) as Answer['json'] : {} };
  }
}
