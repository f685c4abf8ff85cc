/** Emulates the hosted service. Refuses every request that the interface does not allow. */

import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '../lib/free-port.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { complete } from './complete.ts';
import { basePathOf, type Completion, type ServiceContext, type ServiceOptions, type StoredPost } from './context.ts';
import { Faults, sendFault } from './faults.ts';
import { Grants, type Reader, type Token } from './grants.ts';
import { pageReply, ParamsError, paths, readBody, type EndpointName, type ReceivedRequest, type Reply } from './http.ts';
import { assets, errorPage } from './pages.ts';
import { createPost, listPosts, removePost, showContext, showPost, showThread, updatePost, votePost } from './posts.ts';
import { authorize, entrance, issueReturn, type ReturnParams } from './sign-in.ts';
import { NonceMemory } from './signature.ts';
import { exchangeCode } from './token.ts';

export { realWorldShapes, type RealWorldShape, type ServiceOptions, type StoredPost } from './context.ts';
export type { Fault } from './faults.ts';
export type { Reader } from './grants.ts';
export type { ReceivedRequest } from './http.ts';
export { expectedMac, parseMacHeader } from './signature.ts';

type Shared = 'url' | 'publicKey' | 'secretKey' | 'forums' | 'readers' | 'alreadyGranted' | 'premoderated' | 'closedThreads';

export interface EmulatedService extends AsyncDisposable, Pick<ServiceContext, Shared> {
  /** Posts that were created, oldest first. */
  readonly posts: readonly StoredPost[];
  /** Every completion that was accepted, reloads included. */
  readonly completions: readonly Completion[];
  /** Every request whose head and body arrived, also without a response. */
  readonly requests: readonly ReceivedRequest[];
  readonly faults: Faults;
  /** How far the service's clock is ahead of this machine's. `Date` headers and the check of nonces use the service's. */
  clockOffsetMs: number;
  /** `Cross-Origin-Opener-Policy` of its pages. Default: not sent. */
  openerPolicy: 'same-origin' | undefined;
  /** Issues the parameters that the embedded entrance adds to `redirectUri`. Default reader: the first.
   *  @throws {Error} if `redirectUri` is not registered */
  issueReturn(options: { readonly redirectUri: string; readonly user?: Reader }): ReturnParams;
  /** Revokes the tokens of this reader. */
  revokeTokensOf(userId: string): void;
  /** Resolves with the next request to `endpoint`, after its body has arrived and its immediate effects are committed. */
  whenReceived(endpoint: EndpointName): Promise<ReceivedRequest>;
  /** Refuses connections and ends those there are. */
  down(): Promise<void>;
  /** Listens again, on the same port. */
  up(): Promise<void>;
}

const demonstrationReaders: readonly Reader[] = [
  { user_id: '31007', username: 'Ada Quill' },
  { user_id: '31018', username: 'Jörg Ünterwald' },
  { user_id: '31024', username: 'Σοφία Λάσκαρη' },
  { user_id: '31035', username: 'Noor “Ink” al-Haddad' },
];

/** They exist with the option `threads` only. */
const threadEndpoints: readonly EndpointName[] = ['postList', 'postContext', 'postDetails', 'thread', 'postUpdate', 'postRemove', 'postVote'];

const handlers: Readonly<Record<EndpointName, (context: ServiceContext, request: ReceivedRequest) => Reply>> = {
  authorize, entrance, complete, token: exchangeCode, posts: createPost, postList: listPosts, postContext: showContext,
  postDetails: showPost, thread: showThread,
  postUpdate: updatePost, postRemove: removePost, postVote: votePost,
};

export async function startEmulatedService(options: ServiceOptions = {}): Promise<EmulatedService> {
  const { stateFile, now = Date.now, recordRequests = true } = options;
  // A port of its own: another process could take an ephemeral one while the service is down.
  const port = options.port ?? await freePort();
  const state = stateFile === undefined ? undefined : readState(stateFile);
  const context: ServiceContext = {
    url: options.publicUrl ?? `http://127.0.0.1:${port}${options.basePath ?? ''}`,
    publicKey: options.publicKey ?? randomBytes(16).toString('hex'),
    secretKey: options.secretKey ?? randomBytes(16).toString('hex'),
    forums: new Set(options.forums ?? ['news']),
    redirectUris: new Set(options.redirectUris),
    readers: options.readers ?? demonstrationReaders,
    alreadyGranted: new Set(),
    premoderated: new Set(),
    closedThreads: new Set(),
    publisherName: options.publisherName ?? 'the publisher',
    completionReturnUrl: options.completionReturnUrl ?? '',
    completionQuery: options.completionQuery ?? '',
    threads: options.threads ?? false,
    realWorldShapes: new Set(options.realWorldShapes),
    grants: new Grants(now, state?.tokens ?? []),
    nonces: new NonceMemory(),
    posts: [...state?.posts ?? options.posts ?? []],
    completions: [],
    serviceNow: () => now() + service.clockOffsetMs,
  };
  const { url, publicKey, secretKey, forums, readers, alreadyGranted, premoderated, closedThreads } = context;
  const { posts, completions, grants } = context;
  const basePath = basePathOf(context);
  const requests: ReceivedRequest[] = [];
  const faults = new Faults();
  const arrivals = new EventEmitter();

  const server = createServer((message, response) => {
    readBody(message).then((body) => {
      if (body === undefined) return send(response, { status: 413, headers: { Connection: 'close' }, body: '' });
      const request = received(message, body);
      response.once('finish', () => options.onResponse?.(request, response.statusCode));
      respond(request, response);
      if (recordRequests) requests.push(request);
      if (request.endpoint !== undefined) arrivals.emit(request.endpoint, request);
    }, () => { /* The client disconnected. */ });
  });
  server.on('clientError', (_, socket) => {
    socket.end(`HTTP/1.1 400 Bad Request\r\nDate: ${date()}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });

  const service: EmulatedService = {
    url, publicKey, secretKey, forums, readers, alreadyGranted, premoderated, closedThreads, posts, completions, requests, faults,
    clockOffsetMs: 0,
    openerPolicy: undefined,
    issueReturn({ redirectUri, user = readers[0] }) {
      if (!context.redirectUris.has(redirectUri)) throw new Error('redirectUri is not registered with the emulated service');
      if (!user) throw new Error('the emulated service has no reader');
      return issueReturn(context, user, redirectUri);
    },
    revokeTokensOf: (userId) => grants.revokeTokensOf(userId),
    whenReceived: async (endpoint) => (await once(arrivals, endpoint) as [ReceivedRequest])[0],
    down: () => closeServer(server),
    up: async () => { if (!server.listening) await listen(server, { port }); },
    [Symbol.asyncDispose]: () => closeServer(server),
  };
  await listen(server, { port });
  return service;

  function received(message: IncomingMessage, body: Buffer): ReceivedRequest {
    const { url: path = '', method = '', headersDistinct } = message;
    const place = placeOf(path);
    const endpoint = (Object.keys(paths) as EndpointName[])
      .find((name) => paths[name] === place && (context.threads || !threadEndpoints.includes(name)));
    return { endpoint, method, path, headers: headersDistinct as Record<string, readonly string[]>, body };
  }

  function respond(request: ReceivedRequest, response: ServerResponse): void {
    const { endpoint } = request;
    if (endpoint === undefined) return send(response, assets[placeOf(request.path)] ?? refuse(404, 'there is nothing at this address'));
    const fault = faults.take(endpoint);
    if (!fault) return send(response, commit());
    sendFault(fault, { response, commit, send: (reply) => send(response, reply), headersOf });

    function commit(): Reply {
      const { host } = request.headers;
      if (host?.length !== 1 || host[0] !== new URL(url).host) return refuse(421, 'the service has another host');
      const reply = answer(handlers[endpoint!], request);
      if (stateFile !== undefined) writeState(stateFile, { posts, tokens: grants.tokens });
      return reply;
    }
  }

  function answer(handler: (typeof handlers)[EndpointName], request: ReceivedRequest): Reply {
    try {
      return handler(context, request);
    } catch (error) {
      if (error instanceof ParamsError) return refuse(400, error.message);
      throw error;
    }
  }

  function refuse(status: number, reason: string): Reply {
    return pageReply(status, errorPage(context, reason));
  }

  function send(response: ServerResponse, reply: Reply): void {
    if (response.destroyed) return;
    response.writeHead(reply.status, { ...headersOf(reply), 'Content-Length': Buffer.byteLength(reply.body) }).end(reply.body);
  }

  function headersOf({ headers }: Reply): Record<string, string> {
    const policy = headers['Content-Type']?.startsWith('text/html') ? service.openerPolicy : undefined;
    return { Date: date(), ...(policy && { 'Cross-Origin-Opener-Policy': policy }), ...headers };
  }

  function date(): string {
    return new Date(context.serviceNow()).toUTCString();
  }

  /** The path below `base_url`, without the query. Empty where it is not below. */
  function placeOf(path: string): string {
    const [pathname = ''] = path.split('?', 1);
    return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : '';
  }
}

interface ServiceState {
  readonly posts: readonly StoredPost[];
  readonly tokens: readonly Token[];
}

/** `undefined` if there is no such file. */
function readState(path: string): ServiceState | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ServiceState;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A crash leaves the earlier file or the new one. */
function writeState(path: string, state: ServiceState): void {
  writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
