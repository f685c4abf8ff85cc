/** A reader who signs in and posts, over a shared pool of connections. Every answer comes with how long it took. */

import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import type { EmulatedService, Reader as Person } from '../service/index.ts';
import { CookieJar } from '../lib/cookie-jar.ts';
import { validationOf } from '../lib/validation-of.ts';
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
  #cookies = new CookieJar();

  constructor(site: Site) {
    this.#site = site;
  }

  /** The `Cookie` header. */
  get cookie(): string {
    return this.#cookies.header ?? '';
  }

  /** Starts a sign-in and leaves the form open. @returns its session view as JSON */
  async beginSignIn(service: EmulatedService, user: Person): Promise<string> {
    return (await this.#ask('POST', '/sync', service.issueReturn({ redirectUri: this.#site.redirectUri, user }))).text;
  }

  async signIn(service: EmulatedService, user: Person, answers: Readonly<Record<string, string>> = {}): Promise<void> {
    const text = await this.beginSignIn(service, user);
    const { status } = await this.#ask('POST', '/sync/validation', validationOf(JSON.parse(text), answers));
    if (status !== 200) throw new Error(`The validation ended with ${status}.`);
  }

  post(message: string, key: string = randomUUID()): Promise<Timed> {
    return this.#ask('POST', '/posts', { forum: 'news', message }, { 'idempotency-key': key });
  }

  /** The same reader before another process. */
  at(url: string): LoadReader {
    const there = new LoadReader({ ...this.#site, url });
    there.#cookies = this.#cookies.copy();
    return there;
  }

  session(): Promise<Timed> {
    return this.#ask('GET', '/session');
  }

  async #ask(method: string, path: string, json?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Timed> {
    const { agent, origin, url } = this.#site;
    const cookie = this.#cookies.header === undefined ? {} : { cookie: this.#cookies.header };
    const answer = await ask(url + path, { agent, method, json, headers: { origin, ...cookie, ...headers } });
    this.#cookies.keep(answer.headers['set-cookie'] as string[] | undefined ?? []);
    return answer;
  }
}
