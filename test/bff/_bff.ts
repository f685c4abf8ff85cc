/** The BFF as a library in front of the emulated service, with its log kept and its clock under control, and browsers that
 *  send what a page of the publisher sends. */

import assert from 'node:assert/strict';
import { pino } from 'pino';
import supertest, { type Response, type Test } from 'supertest';
import type { Overrides, VestibuleConfig } from '@vestibule/bff';
import { PROBLEM_TYPE_PREFIX, type Problem, type ProblemType, type SessionView, type SyncOutcome, type SyncReturn, type SyncValidation } from '@vestibule/shared';
import { MemoryStore } from '../../packages/bff/src/store/memory-store.ts';
import type { Store } from '../../packages/bff/src/store/store.ts';
import { MOUNT, mountBff, type MountedBff } from '../lib/mounted-bff.ts';
import type { Reader, ServiceOptions } from '../service/index.ts';

export interface Bff extends MountedBff {
  /** Origin of the publisher's pages. */
  readonly origin: string;
  /** Parsed lines of the BFF's log. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  browser(): Browser;
  /** Moves the clock of the BFF and of its store. */
  passTime(seconds: number): void;
}

export type BffSettings = Partial<VestibuleConfig> & {
  readonly serviceOptions?: ServiceOptions;
  /** Default: a `MemoryStore`, unless `store` is set. */
  readonly storeInstance?: Store;
};

const FORUMS = ['news', 'sport'];

export async function startBff(
  { serviceOptions, storeInstance, ...settings }: BffSettings = {},
  overrides: Overrides = {},
): Promise<Bff> {
  const log: Record<string, unknown>[] = [];
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  const mounted = await mountBff({
    serviceOptions: { forums: FORUMS, ...serviceOptions },
    settings: { forums: FORUMS, ...settings },
    overrides: {
      now,
      logger: pino({ level: 'trace' }, { write: (line: string) => { log.push(JSON.parse(line) as Record<string, unknown>); } }),
      ...(settings.store === undefined && { store: storeInstance ?? new MemoryStore({ now }) }),
      ...overrides,
    },
  });
  const bff: Bff = {
    ...mounted,
    origin: new URL(mounted.publicUrl).origin,
    log,
    browser: () => new Browser(bff),
    passTime: (seconds) => { offsetMs += seconds * 1000; },
  };
  return bff;
}

/** Id of no sign-in. */
export const NO_SYNC = 'AAAAAAAAAAAAAAAAAAAAAA';

export interface PostOptions {
  readonly key?: string;
  readonly forum?: string;
}

/** What the form showed. */
export type Shown = Pick<SyncValidation, 'sync' | 'username'>;

/** Keeps cookies, sends `Origin` with unsafe methods. */
export class Browser {
  readonly agent: ReturnType<typeof supertest.agent>;
  readonly #bff: Bff;

  constructor(bff: Bff) {
    this.#bff = bff;
    this.agent = supertest.agent(bff.server);
  }

  get(path: string): Test {
    return this.agent.get(MOUNT + path).redirects(0);
  }

  post(path: string, body?: object | string): Test {
    const request = this.agent.post(MOUNT + path).set('Origin', this.#bff.origin);
    return body === undefined ? request : request.set('Content-Type', 'application/json').send(body);
  }

  delete(path: string): Test {
    return this.agent.delete(MOUNT + path).set('Origin', this.#bff.origin);
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

  /** From the return to the signed-in state. */
  async signIn(user?: Reader, answers: object = {}): Promise<SyncOutcome> {
    expectStatus(await this.start(this.issueReturn(user)), 201);
    const res = await this.validate(answers);
    expectStatus(res, 200);
    return res.body as SyncOutcome;
  }

  createPost(message: string, { key = crypto.randomUUID(), forum = 'news' }: PostOptions = {}): Test {
    return this.post('/posts', { forum, message }).set('Idempotency-Key', key);
  }

  async session(): Promise<SessionView> {
    const res = await this.get('/session');
    expectStatus(res, 200);
    return res.body as SessionView;
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

export function expectStatus(res: Response, status: number): void {
  assert.equal(res.status, status, res.text);
}

/** Checks media type, type, status and instance. */
export function expectProblem(res: Response, type: ProblemType): Problem {
  assert.match(res.headers['content-type'] ?? '', /^application\/problem\+json/, `${res.status} ${res.text}`);
  const problem = JSON.parse(res.text) as Problem;
  assert.equal(problem.type, `${PROBLEM_TYPE_PREFIX}${type}`);
  assert.equal(res.status, problem.status);
  assert.equal(problem.instance, `urn:vestibule:request:${res.headers['x-request-id']}`);
  return problem;
}

/** Lines of `Set-Cookie`. */
export function setCookies(res: Response): readonly string[] {
  return (res.headers['set-cookie'] as unknown as string[] | undefined) ?? [];
}

/** Requests to the token endpoint. */
export function exchangesOf({ service }: Pick<Bff, 'service'>): number {
  return service.requests.filter(({ endpoint }) => endpoint === 'token').length;
}

/** Parameters of a completion URL. */
export function completionParams(url: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(url).searchParams);
}
