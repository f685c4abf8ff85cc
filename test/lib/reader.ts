/** The one HTTP client of the tests: keeps cookies, and sends what a page of the publisher sends. */

import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import supertest, { type Response, type Test } from 'supertest';
import {
  PROBLEM_TYPE_PREFIX, problemTypes,
  type Problem, type ProblemType, type SessionView, type SyncOutcome, type SyncReturn, type SyncValidation,
  type User,
} from '@vestibule/shared';
import type { EmulatedService, Reader } from '../service/index.ts';

/** A BFF in front of the emulated service, in this process or another. */
export interface ReaderTarget {
  /** A server of this process, or the origin that listens. */
  readonly server: Server | string;
  /** Path of `{bff}`, without a slash at its end. */
  readonly path: string;
  /** Origin of the publisher's pages. */
  readonly origin: string;
  readonly redirectUri: string;
  readonly service: EmulatedService;
  /** Host name of the requests, if it is not that of the server. */
  readonly host?: string;
}

/** Id of no sign-in. */
export const NO_SYNC = 'AAAAAAAAAAAAAAAAAAAAAA';

export interface PostOptions {
  readonly key?: string;
  readonly forum?: string;
}

/** What the form showed. */
export type Shown = Pick<SyncValidation, 'sync' | 'username'>;

/** A browser of one reader. */
export class ReaderClient {
  readonly agent: ReturnType<typeof supertest.agent>;
  readonly #bff: ReaderTarget;

  constructor(bff: ReaderTarget) {
    this.#bff = bff;
    this.agent = supertest.agent(bff.server);
    if (bff.host !== undefined) this.agent.set('Host', bff.host);
  }

  get(path: string): Test {
    return this.agent.get(this.#bff.path + path).redirects(0);
  }

  post(path: string, body?: object | string): Test {
    const request = this.agent.post(this.#bff.path + path).set('Origin', this.#bff.origin);
    return body === undefined ? request : request.set('Content-Type', 'application/json').send(body);
  }

  patch(path: string, body?: object): Test {
    return this.agent.patch(this.#bff.path + path).set('Origin', this.#bff.origin).send(body);
  }

  put(path: string, body?: object): Test {
    return this.agent.put(this.#bff.path + path).set('Origin', this.#bff.origin).send(body);
  }

  delete(path: string): Test {
    return this.agent.delete(this.#bff.path + path).set('Origin', this.#bff.origin);
  }

  /** The four parameters of a return. */
  issueReturn(user?: Reader): SyncReturn {
    return this.#bff.service.issueReturn({ redirectUri: this.#bff.redirectUri, ...(user && { user }) });
  }

  start(syncReturn: Partial<SyncReturn> & { readonly forum?: string } = this.issueReturn()): Test {
    return this.post('/sync', syncReturn);
  }

  /** What the form shows: the sign-in that `GET /session` offers. */
  async shown(): Promise<Shown> {
    const { sync } = await this.session();
    return { sync: sync?.id ?? NO_SYNC, username: sync?.user.username ?? 'nobody' };
  }

  /** Starts a sign-in. @returns what the form shows */
  async begin(syncReturn: Partial<SyncReturn> = this.issueReturn()): Promise<Shown> {
    const res = await this.start(syncReturn);
    expectStatus(res, 201);
    const { sync } = res.body as SessionView;
    assert.ok(sync);
    return { sync: sync.id, username: sync.user.username };
  }

  /** Validates the sign-in that `GET /session` offers now. */
  async validate(answers: object = {}): Promise<Response> {
    return this.validateShown(await this.shown(), answers);
  }

  validateShown(shown: Shown, answers: object = {}): Test {
    return this.post('/sync/validation', { ...shown, answers });
  }

  /** Cancels the sign-in that `GET /session` offers now. */
  async cancel(): Promise<Response> {
    return this.cancelShown(await this.shown());
  }

  cancelShown({ sync }: Pick<Shown, 'sync'>): Test {
    return this.post('/sync/cancel', { sync });
  }

  /** Starts the standard variant from a page of this origin. */
  authorize(query: string): Test {
    return this.get(`/sync/authorize?${query}`).set('Sec-Fetch-Site', 'same-origin');
  }

  /** Receives a return, as a navigation from the service's site. */
  receive(syncReturn: object, headers: Readonly<Record<string, string>> = {}): Test {
    return this.get(`/sync/return?${new URLSearchParams({ ...syncReturn })}`).set({ 'Sec-Fetch-Site': 'cross-site', ...headers });
  }

  /** From the return to the signed-in state. Confirms the id if the exchange returns no name. */
  async signIn(user?: Reader, answers: object = {}): Promise<SyncOutcome> {
    expectStatus(await this.start(this.issueReturn(user)), 201);
    const first = await this.validate(answers);
    const res = first.status === 409 ? await this.validate(answers) : first;
    expectStatus(res, 200);
    return res.body as SyncOutcome;
  }

  createPost(message: string, { key = crypto.randomUUID(), forum = 'news' }: PostOptions = {}): Test {
    return this.post('/posts', { forum, message }).set('Idempotency-Key', key);
  }

  /** Creates a post. Resolves when the service has received it, or it has failed before. The service answers after `release`. */
  async holdPost(message: string, options?: PostOptions) {
    const { service } = this.#bff;
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    service.faults.next('posts', { kind: 'held', until });
    const received = service.whenReceived('posts');
    const post = this.createPost(message, options).then((res) => res);
    await Promise.race([received, post]);
    return { post, release };
  }

  async session(): Promise<SessionView> {
    const res = await this.get('/session');
    expectStatus(res, 200);
    return res.body as SessionView;
  }

  /** The user who is signed in. */
  async user(): Promise<User | undefined> {
    const { user } = await this.session();
    return user && { user_id: user.user_id, username: user.username };
  }

  async state(): Promise<SessionView['state']> {
    return (await this.session()).state;
  }

  /** Keeps the cookies of a `Cookie` header. */
  keepCookies(cookies: string): this {
    for (const pair of cookies.split('; ')) this.agent.jar.setCookie(pair, '127.0.0.1', '/');
    return this;
  }

  /** The `Cookie` header. */
  cookies(): string {
    return this.agent.jar.getCookies({ domain: '127.0.0.1', path: '/', secure: false, script: false } as never).toValueString();
  }

  /** Value of the cookie `name` as it is sent. */
  cookie(name: string): string | undefined {
    return this.agent.jar.getCookie(name, { domain: '127.0.0.1', path: '/', secure: false, script: false } as never)?.value;
  }
}

/** Where the page of the BFF navigates that ends a sign-in in the page itself. */
export function navigationOf(res: Response): string | undefined {
  expectStatus(res, 200);
  const [, address] = /<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(res.text) ?? [];
  return address?.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

export function expectStatus(res: Response, status: number): void {
  assert.equal(res.status, status, res.text);
}

/** Checks the whole shape of a problem (contract, section 2). */
export function expectProblem(res: Response, type: ProblemType): Problem {
  assert.match(res.headers['content-type'] ?? '', /^application\/problem\+json/, `${res.status} ${res.text}`);
  const problem = JSON.parse(res.text) as Problem;
  assert.equal(problem.type, `${PROBLEM_TYPE_PREFIX}${type}`, res.text);
  assert.equal(res.status, problem.status);
  assert.match(problem.detail, /^\S/);
  assert.deepEqual([problem.title, typeof problem.retryable], [problemTypes[type].title, 'boolean']);
  assert.deepEqual(Object.keys(problem).filter((member) => !PROBLEM_MEMBERS.includes(member)), []);
  assert.equal(problem.instance, `urn:vestibule:request:${res.headers['x-request-id']}`);
  assert.equal(res.headers['cache-control'], 'no-store');
  assert.match(res.headers['retry-after'] ?? '1', /^[1-9]\d*$/);
  return problem;
}

const PROBLEM_MEMBERS = ['type', 'title', 'status', 'detail', 'instance', 'retryable', 'fields', 'form', 'user'];

/** Lines of `Set-Cookie`. */
export function setCookies(res: Response): readonly string[] {
  return (res.headers['set-cookie'] as unknown as string[] | undefined) ?? [];
}

/** Requests to the token endpoint. */
export function exchangesOf({ service }: Pick<ReaderTarget, 'service'>): number {
  return service.requests.filter(({ endpoint }) => endpoint === 'token').length;
}

/** Parameters of a completion URL. */
export function completionParams(url: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(url).searchParams);
}
