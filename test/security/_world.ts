/** A target for attacks: a BFF on a real socket in front of the emulated service, its log, and browsers that keep cookies. */

import type { VestibuleConfig } from '@vestibule/bff';
import type { SessionView, SyncOutcome, SyncValidation } from '@vestibule/shared';
import { createLog } from '../../packages/bff/src/log.ts';
import { mountBff, type MountedBff } from '../lib/mounted-bff.ts';
import type { EmulatedService, Reader } from '../service/index.ts';

export interface World extends MountedBff {
  /** Lines of the log, at every level. */
  readonly log: readonly string[];
  browser(): Browser;
}

/** @param overrides take precedence over the settings of the world */
export async function startWorld(overrides: Partial<VestibuleConfig> = {}): Promise<World> {
  const log: string[] = [];
  const mounted = await mountBff({
    serverOptions: { connectionsCheckingInterval: 500, requestTimeout: overrides.requestTimeoutMs ?? 30_000 },
    settings: {
      rateLimits: 'off',
      validation: { fields: [{ name: 'age', type: 'number', label: 'Your age', required: true, min: 18, onFail: 'reject' }] },
      ...overrides,
    },
    overrides: { logger: createLog('trace', { write: (line: string) => { log.push(line); } }) },
  });
  return { ...mounted, log, browser: () => new Browser(mounted) };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests reach into bodies of every shape
  readonly json: any;
}

export interface Wish {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** What the form shows. */
export type Shown = Pick<SyncValidation, 'sync' | 'username'>;

/** Keeps cookies and sends the requests of a publisher's page. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #url: string;
  readonly #redirectUri: string;
  readonly #service: EmulatedService;

  constructor({ url, redirectUri, service }: Pick<MountedBff, 'url' | 'redirectUri' | 'service'>) {
    this.#url = url;
    this.#redirectUri = redirectUri;
    this.#service = service;
  }

  async ask(path: string, { method = 'GET', headers = {}, json, body }: Wish = {}): Promise<Answer> {
    const sent = json === undefined ? body : JSON.stringify(json);
    const response = await fetch(this.#url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(method !== 'GET' && { origin: new URL(this.#url).origin }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...(this.cookies.size > 0 && { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  }

  /** The four parameters of a return. */
  issueReturn(user?: Reader): Readonly<Record<string, string>> {
    return { ...this.#service.issueReturn({ redirectUri: this.#redirectUri, ...(user && { user }) }) };
  }

  start(syncReturn: Readonly<Record<string, string>> = this.issueReturn()): Promise<Answer> {
    return this.ask('/sync', { method: 'POST', json: syncReturn });
  }

  /** Starts the standard variant from a page of this origin. */
  authorize(query = 'forum=news'): Promise<Answer> {
    return this.ask(`/sync/authorize?${query}`, { headers: { 'sec-fetch-site': 'same-origin' } });
  }

  /** Receives a return of the service. */
  receive(syncReturn: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.ask(`/sync/return?${new URLSearchParams(syncReturn)}`, { headers: { 'sec-fetch-site': 'cross-site', ...headers } });
  }

  /** What the form shows: the sign-in that `GET /session` offers. */
  async shown(): Promise<Shown> {
    const { sync } = (await this.ask('/session')).json as SessionView;
    return { sync: sync?.id ?? 'AAAAAAAAAAAAAAAAAAAAAA', username: sync?.user.username ?? 'nobody' };
  }

  /** Validates the sign-in that `GET /session` offers now. */
  async validate(answers: unknown = { age: 30 }): Promise<Answer> {
    return this.validateShown(await this.shown(), answers);
  }

  validateShown(shown: Shown, answers: unknown = { age: 30 }): Promise<Answer> {
    return this.ask('/sync/validation', { method: 'POST', json: { ...shown, answers } });
  }

  /** From the return to the signed-in state. */
  async signIn(user?: Reader): Promise<SyncOutcome> {
    await this.start(this.issueReturn(user));
    return (await this.validate()).json as SyncOutcome;
  }

  post(message = 'Hello', key: string = crypto.randomUUID()): Promise<Answer> {
    return this.ask('/posts', { method: 'POST', headers: { 'idempotency-key': key }, json: { forum: 'news', message } });
  }

  async state(): Promise<string> {
    return (await this.ask('/session')).json.state as string;
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals);
    if (/;\s*(?:max-age=0|expires=thu, 01 jan 1970)/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(equals + 1));
  }
}

/** The short name of a problem answer. */
export function problemOf(answer: Answer): string | undefined {
  return (answer.json?.type as string | undefined)?.replace('urn:vestibule:', '');
}
