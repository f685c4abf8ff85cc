/** A reader that signs in, loads the widget, requests the session and posts over one keep-alive connection from a separate
 *  address. */

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { SessionView } from '@vestibule/shared';
import type { EmulatedService, Reader } from '../service/index.ts';
import { HOST, ORIGIN, PATH, PUBLIC_URL, type Entrance } from './_entrance.ts';
import type { Attacker } from './_request.ts';

export const REDIRECT_URI = `${PUBLIC_URL}/sync/return`;

const ANSWER_WITHIN_MS = 10_000;
const PAUSE_MS = 100;

/** Turns between two sign-ins, which use new connections. */
const TURNS_PER_SIGN_IN = 10;

export interface Sample {
  readonly request: string;
  readonly ms: number;
  /** `undefined` if the response is as expected. */
  readonly failure?: string;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Options {
  readonly entrance: Entrance;
  readonly service: EmulatedService;
  readonly person: Reader;
  /** An address of 127.0.0.0/8. */
  readonly localAddress: string;
}

export class HonestReader {
  readonly samples: Sample[] = [];
  readonly #options: Options;
  readonly #cookies = new Map<string, string>();
  readonly #agent: HttpAgent;
  /** Connections that the server announced to close. */
  readonly #ending = new WeakSet<Socket>();
  readonly #connections = new WeakSet<Socket>();
  #isLeaving = false;
  #turn: number;

  constructor(options: Options, turn = 0) {
    this.#options = options;
    this.#agent = new (options.entrance.certificate === undefined ? HttpAgent : HttpsAgent)({ keepAlive: true, maxSockets: 1 });
    this.#turn = turn;
  }

  get #cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async signIn(): Promise<void> {
    this.#cookies.clear();
    const started = await this.#startSync();
    if (!started) return;
    const json = { ...started, answers: { age: 34 } };
    await this.#ask('POST', '/sync/validation', { status: 200, json, isNewConnection: true });
  }

  /** Signs in, and begins another sign-in and an authorization attempt. */
  async prepareAttack(): Promise<Attacker> {
    await this.signIn();
    const { service, person } = this.#options;
    const started = await this.#startSync();
    await this.#ask('GET', '/sync/authorize?forum=news', { status: 302, isNewConnection: true });
    if (!started) throw new Error(`The attacker cannot sign in: ${JSON.stringify(this.samples)}`);
    const { audiencesync_uri } = service.issueReturn({ redirectUri: REDIRECT_URI, user: person });
    return { ...started, cookie: this.#cookie, audiencesync_uri };
  }

  /** Posts, requests the session and sometimes signs in again, while `goesOn` returns `true`. */
  async read(goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      this.#turn += 1;
      if (this.#turn % TURNS_PER_SIGN_IN === 0) await this.signIn();
      await this.#ask('POST', '/posts', { status: 201, json: { forum: 'news', message: `Post ${this.#turn}` } });
      await this.#ask('GET', '/session', { status: 200, includes: '"signed-in"' });
      await this.#ask('GET', '/widget.js', { status: 200, includes: 'vestibule-comments' });
      await pause(PAUSE_MS);
    }
  }

  /** Removes and returns the samples so far. */
  takeSamples(): readonly Sample[] {
    return this.samples.splice(0);
  }

  disconnect(): void {
    this.#isLeaving = true;
    this.#agent.destroy();
  }

  /** @returns what the validation names; `undefined` after a failure */
  async #startSync(): Promise<Pick<Attacker, 'sync' | 'username'> | undefined> {
    const { service, person } = this.#options;
    const syncReturn = service.issueReturn({ redirectUri: REDIRECT_URI, user: person });
    const started = await this.#ask('POST', '/sync', { status: 201, json: syncReturn, isNewConnection: true });
    const { sync } = JSON.parse(started ?? '{}') as Partial<SessionView>;
    return sync && { sync: sync.id, username: person.username };
  }

  /** @returns the body; `undefined` after a failure */
  async #ask(method: string, path: string, expected: {
    readonly status: number; readonly includes?: string; readonly json?: unknown; readonly isNewConnection?: boolean;
  }): Promise<string | undefined> {
    const beganAt = performance.now();
    const { status, includes = '', json, isNewConnection = false } = expected;
    let failure: string | undefined;
    let text: string | undefined;
    try {
      const answer = await this.#send(method, path, json, isNewConnection);
      if (answer.status === status && answer.text.includes(includes)) text = answer.text;
      else failure = `${answer.status} ${/"urn:vestibule:[^"]+"/.exec(answer.text)?.[0] ?? ''}`;
    } catch (error) {
      failure = (error as NodeJS.ErrnoException).code ?? String(error);
    }
    this.samples.push({ request: `${method} ${path}`, ms: performance.now() - beganAt, ...(failure !== undefined && { failure }) });
    return text;
  }

  async #send(method: string, path: string, json: unknown, isNewConnection: boolean): Promise<Answer> {
    const { entrance: { port, certificate }, localAddress } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const body = json === undefined ? undefined : JSON.stringify(json);
    (certificate === undefined ? httpRequest : httpsRequest)({
      host: '127.0.0.1',
      port,
      localAddress,
      ...(certificate !== undefined && { ca: certificate, servername: 'localhost' }),
      agent: isNewConnection ? false : this.#agent,
      method,
      path: `${PATH}${path}`,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      headers: {
        Host: HOST,
        Origin: ORIGIN,
        'Sec-Fetch-Site': 'same-origin',
        ...(this.#cookies.size > 0 && { Cookie: this.#cookie }),
        ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        ...(path === '/posts' && { 'Idempotency-Key': crypto.randomUUID() }),
      },
    }, resolve).on('error', reject).on('socket', (socket) => { if (!isNewConnection) this.#watch(socket); }).end(body);
    const response = await promise;
    if (response.headers.connection === 'close') this.#ending.add(response.socket);
    const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>);
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
  }

  /** A kept connection that the server closes without an announcement is a failure, also between two requests. */
  #watch(socket: Socket): void {
    if (this.#connections.has(socket)) return;
    this.#connections.add(socket);
    socket.once('close', () => {
      if (!this.#isLeaving && !this.#ending.has(socket)) this.samples.push({ request: 'connection', ms: 0, failure: 'closed by the server' });
    });
  }
}
