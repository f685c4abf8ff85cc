/** Requests of readers' browsers, as the widget sends them from pages of `https://www.example.com`. */

import { Pool, type Dispatcher } from 'undici';
import { posts } from './posts-config.ts';

const HEADERS = {
  host: 'www.example.com',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  accept: 'application/json, application/problem+json',
  'accept-language': 'en-GB,en;q=0.7',
  origin: 'https://www.example.com',
};

interface Answer {
  readonly json: unknown;
  /** Cookies that the response sets, as a `Cookie` header. */
  readonly cookie: string;
}

/** A client with one request in flight on each connection. */
export class Client {
  readonly #pool: Pool;
  readonly #serviceUrl: string;

  constructor(origin: string, { connections, serviceUrl }: { readonly connections: number; readonly serviceUrl: string }) {
    this.#pool = new Pool(origin, { connections, pipelining: 1 });
    this.#serviceUrl = serviceUrl;
  }

  /** The scenarios. Each runs once. */
  readonly scenarios: Readonly<Record<string, (cookies: readonly string[]) => Promise<unknown>>> = {
    'POST /posts': (cookies) => this.#send('POST', '/posts', 201, {
      cookie: anyOf(cookies), 'idempotency-key': `"${crypto.randomUUID()}"`,
    }, { forum: 'news', message: posts[0]?.message.slice(0, 200) }),
    'GET /session': (cookies) => this.#send('GET', '/session', 200, { cookie: anyOf(cookies) }),
    'sign-in': () => this.signIn(),
    'GET /posts': () => this.#send('GET', `/posts?${new URLSearchParams({ forum: 'news', page: 'https://www.example.com/articles/lamplighter' })}`, 200),
  };

  /** Two requests. @returns the `Cookie` header of the session */
  async signIn(): Promise<string> {
    const user_id = String(1 + Math.floor(Math.random() * 100_000));
    const { json, cookie } = await this.#send('POST', '/sync', 201, {}, {
      code: `${user_id}.${crypto.randomUUID()}`, username: `Reader ${user_id}`, user_id, audiencesync_uri: `${this.#serviceUrl}/audiencesync/complete/`,
    });
    const { sync } = json as { sync: { id: string; user: { username: string } } };
    const validation = { sync: sync.id, username: sync.user.username, answers: {} };
    return (await this.#send('POST', '/sync/validation', 200, { cookie }, validation)).cookie;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** @throws {Error} for another status: refusals are fast */
  async #send(method: Dispatcher.HttpMethod, path: string, status: number, headers: object = {}, body?: object): Promise<Answer> {
    const response = await this.#pool.request({
      method,
      path: `/vestibule${path}`,
      headers: { ...HEADERS, 'x-forwarded-for': randomAddress(), ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    if (response.statusCode !== status) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    const set = [response.headers['set-cookie'] ?? []].flat().filter((line) => !line.includes('Expires=Thu, 01 Jan 1970'));
    return { json: path.startsWith('/sync') ? JSON.parse(text) : undefined, cookie: set.map((line) => line.split(';')[0]).join('; ') };
  }
}

/** Calls in flight are limited per address. */
function randomAddress(): string {
  return `10.0.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;
}

function anyOf(cookies: readonly string[]): string {
  return cookies[Math.floor(Math.random() * cookies.length)] ?? '';
}
