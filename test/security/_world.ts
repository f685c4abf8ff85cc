/** A world to attack: the emulated service, a BFF before it on a real socket with its log kept, and browsers that keep
 *  cookies. */

import type { VestibuleConfig } from '@vestibule/bff';
import type { SessionView, SyncOutcome } from '@vestibule/shared';
import { createLog } from '../../packages/bff/src/log.ts';
import { mountBff, type MountedBff } from '../lib/mounted-bff.ts';
import type { EmulatedService, Reader } from '../service/index.ts';

export interface World extends MountedBff {
  /** Every line the BFF logged, at every level. */
  readonly log: readonly string[];
  browser(): Browser;
}

/** @param overrides settings beyond those that the world decides */
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
  /** Sent as it is. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** Keeps cookies and sends what a page of the publisher's would. */
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

  /** The four parameters, as the service would bring them here. */
  issueReturn(user?: Reader): Readonly<Record<string, string>> {
    return { ...this.#service.issueReturn({ redirectUri: this.#redirectUri, ...(user && { user }) }) };
  }

  start(syncReturn: Readonly<Record<string, string>> = this.issueReturn()): Promise<Answer> {
    return this.ask('/sync', { method: 'POST', json: syncReturn });
  }

  /** Validates the sign-in that `GET /session` offers, with the username that it shows. */
  async validate(answers: unknown = { age: 30 }): Promise<Answer> {
    const { sync } = (await this.ask('/session')).json as SessionView;
    return this.ask('/sync/validation', {
      method: 'POST',
      json: { sync: sync?.id ?? 'AAAAAAAAAAAAAAAAAAAAAA', username: sync?.user.username ?? 'nobody', answers },
    });
  }

  /** The whole main road up to the signed-in state. */
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
