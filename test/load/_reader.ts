/** A reader who signs in and posts, over a shared pool of connections. Every answer comes with how long it took. */

import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import type { EmulatedService, Reader as Person } from '../service/index.ts';
import { ask, type Timed } from './_ask.ts';

export interface Site {
  /** Where the BFF listens, with the path of its public URL. */
  readonly url: string;
  /** An allowed origin. */
  readonly origin: string;
  readonly redirectUri: string;
  readonly agent: Agent;
}

export class LoadReader {
  readonly #site: Site;
  #cookie = '';

  constructor(site: Site) {
    this.#site = site;
  }

  /** The pair that the BFF set, as `Cookie` carries it. */
  get cookie(): string {
    return this.#cookie;
  }

  async signIn(service: EmulatedService, user: Person, answers: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#ask('POST', '/sync', service.issueReturn({ redirectUri: this.#site.redirectUri, user }));
    const { status } = await this.#ask('POST', '/sync/validation', { answers });
    if (status !== 200) throw new Error(`the sign-in was answered with ${status}`);
  }

  post(message: string, key: string = randomUUID()): Promise<Timed> {
    return this.#ask('POST', '/posts', { forum: 'news', message }, { 'idempotency-key': key });
  }

  /** The same reader before another process. */
  at(url: string): LoadReader {
    const there = new LoadReader({ ...this.#site, url });
    there.#cookie = this.#cookie;
    return there;
  }

  session(): Promise<Timed> {
    return this.#ask('GET', '/session');
  }

  async #ask(method: string, path: string, json?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Timed> {
    const { agent, origin, url } = this.#site;
    const cookie = this.#cookie === '' ? {} : { cookie: this.#cookie };
    const answer = await ask(url + path, { agent, method, json, headers: { origin, ...cookie, ...headers } });
    const [pair] = answer.headers['set-cookie'] ?? [];
    if (pair !== undefined) this.#cookie = pair.split(';', 1)[0] ?? '';
    return answer;
  }
}
