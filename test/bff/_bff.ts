/** The BFF as a library before the emulated service, its log kept and its clock in the test's hands; and browsers that ask it
 *  as a page of the publisher's does. */

import assert from 'node:assert/strict';
import { pino } from 'pino';
import supertest, { type Response, type Test } from 'supertest';
import type { VestibuleConfig } from '@vestibule/bff';
import { PROBLEM_TYPE_PREFIX, type Problem, type ProblemType, type SessionView, type SyncOutcome, type SyncReturn, type SyncValidation } from '@vestibule/shared';
import { MemoryStore } from '../../packages/bff/src/store/memory-store.ts';
import { MOUNT, mountBff, type MountedBff } from '../lib/mounted-bff.ts';
import type { Reader, ServiceOptions } from '../service/index.ts';

export interface Bff extends MountedBff {
  /** Origin of the publisher's pages. */
  readonly origin: string;
  /** What the BFF logged, one parsed line each. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  browser(): Browser;
  /** Moves the clock of the BFF and of its store. */
  passTime(seconds: number): void;
}

export type BffSettings = Partial<VestibuleConfig> & { readonly serviceOptions?: ServiceOptions };

const FORUMS = ['news', 'sport'];

export async function startBff({ serviceOptions, ...settings }: BffSettings = {}): Promise<Bff> {
  const log: Record<string, unknown>[] = [];
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  const mounted = await mountBff({
    serviceOptions: { forums: FORUMS, ...serviceOptions },
    settings: { forums: FORUMS, ...settings },
    overrides: {
      now,
      logger: pino({ level: 'trace' }, { write: (line: string) => { log.push(JSON.parse(line) as Record<string, unknown>); } }),
      ...(settings.store === undefined && { store: new MemoryStore({ now }) }),
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

/** Names no sign-in. */
const NO_SYNC = 'AAAAAAAAAAAAAAAAAAAAAA';

export interface PostWish {
  readonly key?: string;
  readonly forum?: string;
}

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

  /** The four parameters, as the service would bring them. */
  issueReturn(user?: Reader): SyncReturn {
    return this.#bff.service.issueReturn({ redirectUri: this.#bff.redirectUri, ...(user && { user }) });
  }

  start(syncReturn: Partial<SyncReturn> & { readonly forum?: string } = this.issueReturn()): Test {
    return this.post('/sync', syncReturn);
  }

  /** Validates the sign-in that `GET /session` offers, with the username that it shows. */
  async validate(answers: object = {}, shown: Partial<SyncValidation> = {}): Promise<Response> {
    const { sync } = await this.session();
    return this.post('/sync/validation', { sync: sync?.id ?? NO_SYNC, username: sync?.user.username ?? 'nobody', answers, ...shown });
  }

  /** Cancels the sign-in that `GET /session` offers. */
  async cancel(): Promise<Response> {
    return this.post('/sync/cancel', { sync: (await this.session()).sync?.id ?? NO_SYNC });
  }

  /** The main road, from the return to the signed-in state. */
  async signIn(user?: Reader, answers: object = {}): Promise<SyncOutcome> {
    expectStatus(await this.start(this.issueReturn(user)), 201);
    const res = await this.validate(answers);
    expectStatus(res, 200);
    return res.body as SyncOutcome;
  }

  createPost(message: string, { key = crypto.randomUUID(), forum = 'news' }: PostWish = {}): Test {
    return this.post('/posts', { forum, message }).set('Idempotency-Key', key);
  }

  async session(): Promise<SessionView> {
    const res = await this.get('/session');
    expectStatus(res, 200);
    return res.body as SessionView;
  }

  /** Value of the cookie `name` as it is sent; `undefined` where there is none. */
  cookie(name: string): string | undefined {
    return this.agent.jar.getCookie(name, { domain: '127.0.0.1', path: '/', secure: false, script: false } as never)?.value;
  }
}

export function expectStatus(res: Response, status: number): void {
  assert.equal(res.status, status, res.text);
}

/** Checks shape and status of a problem answer and gives it. */
export function expectProblem(res: Response, type: ProblemType): Problem {
  assert.match(res.headers['content-type'] ?? '', /^application\/problem\+json/, `${res.status} ${res.text}`);
  const problem = JSON.parse(res.text) as Problem;
  assert.equal(problem.type, `${PROBLEM_TYPE_PREFIX}${type}`);
  assert.equal(res.status, problem.status);
  return problem;
}

/** The lines of `Set-Cookie`. */
export function setCookies(res: Response): readonly string[] {
  return (res.headers['set-cookie'] as unknown as string[] | undefined) ?? [];
}

/** The parameters of a completion URL. */
export function completionParams(url: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(url).searchParams);
}
