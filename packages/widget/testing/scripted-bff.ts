/** A BFF for tests of the elements: the contract's endpoints over HTTP, one instance for each `/bff/{name}/`, with a session and
 *  responses that the test sets, and a log of requests. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestRunnerConfig } from '@web/test-runner';
import {
  problemTypes, PROBLEM_MEDIA_TYPE, PROBLEM_TYPE_PREFIX,
  type Form, type NewPost, type ProblemType, type SessionView, type SyncCancellation, type SyncStart, type SyncValidation,
  type User,
} from '@vestibule/shared';

/** Replaces the response to the next request of its kind. */
export interface ScriptedAnswer {
  readonly problem?: ProblemType;
  readonly detail?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly user?: User;
  /** Of the problem. */
  readonly instance?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly text?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** The request is carried out as usual first. */
  readonly carriedOut?: boolean;
  /** The connection is cut in the middle of the response. (If it is cut before, the browser repeats the request.) */
  readonly cut?: boolean;
  /** The session from then on. */
  readonly session?: SessionView;
  /** Name under which the response is held until the test releases it. */
  readonly hold?: string;
}

export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly language?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Of a request for counts, in turn. */
  readonly pages?: readonly string[];
  readonly cookie?: string;
}

/** Settings of one step of a test. */
export interface BffScript {
  readonly session?: SessionView;
  /** The form of later sign-ins. */
  readonly form?: Form;
  /** The proven user; default: the user that was shown. */
  readonly provenUser?: User;
  /** Numbers of posts by page; others are `null`. */
  readonly counts?: Readonly<Record<string, number>>;
  /** By `METHOD /path`: each response once, in this order. */
  readonly answers?: Readonly<Record<string, readonly ScriptedAnswer[]>>;
  /** Held responses to release. */
  readonly release?: readonly string[];
}

interface BffState {
  session: SessionView;
  form: Form;
  provenUser: User | undefined;
  counts: Readonly<Record<string, number>>;
  readonly answers: Map<string, ScriptedAnswer[]>;
  readonly log: LoggedRequest[];
  readonly posts: Map<string, { body: string; post: object }>;
  readonly held: Map<string, { promise: Promise<void>; resolve: () => void }>;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Middleware = NonNullable<TestRunnerConfig['middleware']>[number];

const limits = { message_max_length: 10_000 };

export function scriptedBff(): Middleware {
  const states = new Map<string, BffState>();
  return async (context, next) => {
    const [, name, path] = /^\/bff\/([^/]+)(\/.*)$/.exec(context.path) ?? [];
    if (!name || !path) return next();
    const state = states.get(name) ?? createState();
    states.set(name, state);
    context.respond = false;
    await handle(state, path, context.req, context.res);
    return undefined;
  };
}

async function handle(state: BffState, path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await readText(request);
  if (path === '/-script') return answer(response, { status: 200, body: applyScript(state, JSON.parse(text) as BffScript) });
  if (path === '/-log') return answer(response, { status: 200, body: state.log });

  const { method = 'GET' } = request;
  state.log.push(logged(request, method, path, text));
  const scripted = state.answers.get(`${method} ${path}`)?.shift();
  if (scripted?.hold) await heldBy(state, scripted.hold).promise;
  if (scripted?.session) state.session = scripted.session;
  const usual = !scripted || scripted.carriedOut || (scripted.hold && Object.keys(scripted).length === 1)
    ? carryOut(state, `${method} ${path}`, text, request)
    : undefined;
  if (scripted?.cut) return cut(request, response);
  if (scripted?.text !== undefined) {
    response.writeHead(scripted.status ?? 200, { 'Content-Type': 'text/html', ...scripted.headers }).end(scripted.text);
    return undefined;
  }
  if (scripted?.problem) return answer(response, problem(scripted.problem, scripted));
  if (scripted?.json !== undefined) {
    return answer(response, { status: scripted.status ?? 200, body: scripted.json, headers: scripted.headers ?? {} });
  }
  return answer(response, usual ?? problem('internal-error'));
}

function cut({ socket }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '64' });
  response.write('{', () => socket.destroy());
}

function carryOut(state: BffState, request: string, text: string, { headers, url = '' }: IncomingMessage): Answer {
  switch (request) {
    case 'GET /session': {
      const { notice, ...session } = state.session;
      state.session = session;
      return { status: 200, body: { ...session, ...(notice && { notice }) } };
    }
    case 'DELETE /session': {
      const { session } = Object.fromEntries(new URLSearchParams(url.split('?')[1]));
      if (session && session !== state.session.session) return { status: 204 };
      state.session = { state: 'anonymous', limits: state.session.limits };
      return { status: 204 };
    }
    case 'POST /sync': {
      const { username, user_id, forum = 'news' } = JSON.parse(text) as SyncStart;
      const sync = { id: `sync-${state.log.length}`, user: { username, user_id }, forum, form: state.form };
      state.session = { ...state.session, state: state.session.state === 'signed-in' ? 'signed-in' : 'validating', sync };
      return { status: 201, body: state.session };
    }
    case 'POST /sync/validation': return validate(state, JSON.parse(text) as SyncValidation);
    case 'POST /sync/cancel': return cancel(state, JSON.parse(text) as SyncCancellation);
    case 'GET /posts/counts': return { status: 200, body: { counts: pagesOf(url).map((page) => state.counts[page] ?? null) } };
    case 'POST /posts': return createPost(state, text, String(headers['idempotency-key'] ?? ''));
    case 'GET /sync/form':
    case 'GET /sync/authorize': return { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<!doctype html><title>form</title>' };
    default: return problem('not-found');
  }
}

function pagesOf(url: string): string[] {
  return new URLSearchParams(url.split('?')[1]).getAll('page');
}

/** The grant of a user that was not shown is kept: the offer then carries the proven user. */
function validate(state: BffState, body: SyncValidation): Answer {
  if (!hasMembers(body, 'sync', 'username', 'answers')) return problem('invalid-request');
  const { sync, ...session } = state.session;
  if (!sync || body.sync !== sync.id) return problem('no-sync-in-progress');
  const user = state.provenUser ?? sync.user;
  if (body.username !== user.username) {
    state.session = { ...session, sync: { ...sync, user } };
    return problem('user-changed', { user });
  }
  state.session = { ...session, user, state: 'signed-in', session: crypto.randomUUID() };
  return finished('accepted');
}

function cancel(state: BffState, body: SyncCancellation): Answer {
  if (!hasMembers(body, 'sync')) return problem('invalid-request');
  const { sync, ...session } = state.session;
  if (!sync || body.sync !== sync.id) return problem('no-sync-in-progress');
  state.session = { ...session, state: session.state === 'signed-in' ? 'signed-in' : 'anonymous' };
  return finished('cancelled');
}

function hasMembers(body: object, ...names: readonly string[]): boolean {
  return Object.keys(body).toSorted().join() === names.toSorted().join();
}

function finished(outcome: 'accepted' | 'cancelled'): Answer {
  return { status: 200, body: { outcome, completion_url: 'https://service.example/audiencesync/complete/?success=1' } };
}

function createPost(state: BffState, body: string, key: string): Answer {
  const { state: name, user } = state.session;
  if (name !== 'signed-in') return problem('not-signed-in');
  const { expected_user_id, ...draft } = JSON.parse(body) as NewPost;
  if (expected_user_id !== user?.user_id) return problem('user-changed', user && { user });
  const known = state.posts.get(key);
  if (known) return known.body === body ? { status: 201, body: { post: known.post } } : problem('idempotency-key-reused');
  const post = { id: String(state.posts.size + 1), ...draft };
  state.posts.set(key, { body, post });
  return { status: 201, body: { post } };
}

function problem(type: ProblemType, scripted: ScriptedAnswer = {}): Answer {
  const { detail = problemTypes[type].title, headers, fields, user, instance } = scripted;
  return {
    status: problemTypes[type].status,
    headers: { 'Content-Type': PROBLEM_MEDIA_TYPE, ...headers },
    body: {
      type: PROBLEM_TYPE_PREFIX + type, ...problemTypes[type], detail,
      ...(fields && { fields }), ...(user && { user }), ...(instance && { instance }),
    },
  };
}

function answer(response: ServerResponse, { status, body, headers }: Answer): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'Cache-Control': 'no-store', 'Content-Type': isText ? 'text/html' : 'application/json', ...headers });
  response.end(body === undefined || isText ? body : JSON.stringify(body));
}

function applyScript(state: BffState, script: BffScript): { posts: object[] } {
  if (script.session) state.session = { ...nameOf(script.session, state.session), ...script.session };
  if (script.form) state.form = script.form;
  if (script.provenUser) state.provenUser = script.provenUser;
  if (script.counts) state.counts = script.counts;
  for (const [request, answers] of Object.entries(script.answers ?? {})) state.answers.set(request, [...answers]);
  for (const name of script.release ?? []) heldBy(state, name).resolve();
  return { posts: [...state.posts.values()].map(({ post }) => post) };
}

/** The session of a reader who is signed in already stays. */
function nameOf({ state, user }: SessionView, now: SessionView): { session?: string } {
  if (state !== 'signed-in') return {};
  const isSame = now.state === 'signed-in' && now.user?.user_id === user?.user_id;
  return { session: (isSame && now.session) || crypto.randomUUID() };
}

function heldBy(state: BffState, name: string): { promise: Promise<void>; resolve: () => void } {
  const held = state.held.get(name) ?? Promise.withResolvers<void>();
  state.held.set(name, held);
  return held;
}

function logged({ headers, url = '' }: IncomingMessage, method: string, path: string, text: string): LoggedRequest {
  const key = headers['idempotency-key'];
  const language = headers['accept-language'];
  const [, search] = url.split('?');
  return {
    method, path,
    ...(typeof key === 'string' && { key }),
    ...(text && { body: JSON.parse(text) as unknown }),
    ...(language && { language }),
    ...(search && { query: Object.fromEntries(new URLSearchParams(search)) }),
    ...(path === '/posts/counts' && { pages: pagesOf(url) }),
    ...(headers.cookie && { cookie: headers.cookie }),
  };
}

function createState(): BffState {
  return {
    session: { state: 'anonymous', limits }, form: { fields: [] }, provenUser: undefined,
    counts: {}, answers: new Map(), log: [], posts: new Map(), held: new Map(),
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) text += chunk;
  return text;
}
