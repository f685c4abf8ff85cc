/** The demonstration: an emulated service on 127.0.0.1, and on localhost, which is another site to a browser, a newspaper with
 *  the BFF mounted under `/vestibule`. The service keeps the comments. Keys, comments and sessions are kept in `directory`. */

import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { createVestibule, type Overrides, type Vestibule, type VestibuleConfig } from '@vestibule/bff';
import express, { Router, type RequestHandler } from 'express';
import { pino } from 'pino';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';
import { entranceUrl, PAPER } from './pages.ts';
import { closedReason, questions } from './questions.ts';
import { seedPosts } from './seed-posts.ts';
import { createSite } from './site.ts';
import { Trace } from './trace.ts';

const MOUNT = '/vestibule';

const FORUM = 'news';

/** Where the emulated service accepts a BFF of the reader's own. */
export const OWN_BFF = 'http://localhost:8090/vestibule';

/** Of the newspaper and of its service. The examples use neither. */
export const [PORT, SERVICE_PORT] = [8070, 8071];

export interface DemoOptions {
  /** Default: `localhost`. */
  readonly host?: string;
  /** Default: `PORT`, or where that is taken any free one. */
  readonly port?: number;
  /** Of the service. Default: any free one. */
  readonly servicePort?: number | undefined;
  /** Public URLs of BFFs of the reader's own, whose returns the service accepts. Default: `OWN_BFF`. */
  readonly ownBffs?: readonly string[];
  /** Forums of the service. Default: `news`. */
  readonly forums?: readonly string[];
  /** Keeps comments, sessions, keys and the cookie secret; there are a few comments at first, an article
   *  that is closed, and one whose comments wait for approval. Default: nothing is kept, no comments. */
  readonly directory?: string | undefined;
  /** Whether the box's own button starts the service's embedded implementation. Default: the standard variant. */
  readonly embedded?: boolean;
  /** Settings of the BFF that differ from the demonstration's. */
  readonly vestibule?: Partial<VestibuleConfig>;
  readonly overrides?: Overrides;
  /** Asked before the BFF and the newspaper are. */
  readonly before?: RequestHandler;
}

export interface Demo extends AsyncDisposable {
  /** Origin of the newspaper. */
  readonly url: string;
  readonly service: EmulatedService;
  readonly vestibule: Vestibule;
}

export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
  const {
    host = 'localhost', port, servicePort, directory, ownBffs = [OWN_BFF], forums = [], embedded = false, vestibule: settings, overrides = {}, before = Router(),
  } = options;
  if (directory !== undefined) await mkdir(directory, { recursive: true });
  const server = createServer();
  const url = await listenNear(server, host, port);
  const redirectUri = settings?.redirectUri ?? `${url}${MOUNT}/sync/return`;
  const trace = new Trace();
  const service = await startEmulatedService({
    publisherName: PAPER,
    ...(servicePort !== undefined && { port: servicePort }),
    redirectUris: [redirectUri, ...ownBffs.map((ownBff) => `${ownBff}/sync/return`)],
    completionReturnUrl: `${url}/back`,
    forums: [...new Set([FORUM, ...forums])],
    threads: true,
    realWorldShapes: ['moderation-flags'],
    onResponse: (request, status) => { trace.toService(service, request, status); },
    ...(directory !== undefined && {
      stateFile: join(directory, 'service.json'), posts: seedPosts(url, FORUM),
      publicKey: await keptSecret(join(directory, 'public-key')), secretKey: await keptSecret(join(directory, 'secret-key')),
    }),
  });
  if (directory !== undefined) {
    moveThreads(service, url);
    service.premoderated.add(`${url}/articles/slow-railway`);
    service.closedThreads.add(`${url}/articles/town-clock`);
  }
  const client = { forum: FORUM, serviceUrl: service.url, publicKey: service.publicKey, redirectUri };
  const config: VestibuleConfig = {
    serviceUrl: service.url,
    publicKey: service.publicKey,
    secretKey: service.secretKey,
    forums: [...service.forums],
    publicUrl: url + MOUNT,
    cookieSecrets: [directory === undefined ? newSecret() : await keptSecret(join(directory, 'cookie-secret'))],
    store: directory === undefined ? 'memory:' : `sqlite:${join(directory, 'vestibule.db')}`,
    site: { name: PAPER, accent: '#1c5273' },
    validation: { fields: questions },
    ...(!settings?.posts && { threads: 'service' }),
    posts: {
      prepare: ({ page = '' }) => (service.closedThreads.has(page) ? { ok: false, reason: closedReason } : { ok: true }),
    },
    ...settings,
  };
  let isEmbedded = embedded;
  let isDown = false;
  const start = () => createVestibule(
    { ...config, ...(isEmbedded && { embeddedUrl: entranceUrl(client) }) },
    { logger: pino({ level: 'warn', base: null }, trace.log), ...overrides },
  );
  let vestibule = await start();
  const router: RequestHandler = (req, res, next) => { vestibule.router(req, res, next); };
  const site = createSite({
    ...client,
    origin: url,
    vestibuleUrl: MOUNT,
    listPosts: (path) => vestibule.listPosts({ page: url + path }),
    trace,
    state: (path) => ({
      service: isDown ? 'down' : 'running',
      variant: isEmbedded ? 'embedded' : 'standard',
      approval: service.premoderated.has(url + path) ? 'on' : 'off',
      comments: service.closedThreads.has(url + path) ? 'closed' : 'open',
    }),
    set,
  });
  server.on('request', express().disable('x-powered-by').use(before).use(MOUNT, trace.fromBrowser, router).use(site));

  return { url, service, get vestibule() { return vestibule; }, [Symbol.asyncDispose]: dispose };

  /** Carries out a switch. The BFF starts anew: with other settings, and without its cache of lists. */
  async function set(change: string, path: string): Promise<void> {
    const thread = url + path;
    switch (change) {
      case 'service=running': isDown = false; return service.up();
      case 'service=down': isDown = true; return service.down();
      case 'variant=standard': isEmbedded = false; break;
      case 'variant=embedded': isEmbedded = true; break;
      case 'approval=off': service.premoderated.delete(thread); break;
      case 'approval=on': service.premoderated.add(thread); break;
      case 'approve=all':
        for (const post of service.posts) if (post.thread === thread && post.state === 'held') post.state = undefined;
        break;
      case 'comments=open': service.closedThreads.delete(thread); break;
      case 'comments=closed': service.closedThreads.add(thread); break;
    }
    const before = vestibule;
    vestibule = await start();
    await before.drain();
    await before.close();
  }

  async function dispose(): Promise<void> {
    await closeServer(server);
    await vestibule.close();
    await service[Symbol.asyncDispose]();
  }
}

/** Moves the threads of the articles to the origin of this start: at an earlier one the paper may have had another port. */
function moveThreads({ posts }: EmulatedService, origin: string): void {
  for (const post of posts) {
    const thread = URL.parse(post.thread ?? '');
    if (thread?.pathname.startsWith('/articles/')) post.thread = origin + thread.pathname;
  }
}

function newSecret(): string {
  return randomBytes(32).toString('hex');
}

/** The secret of an earlier start. */
async function keptSecret(path: string): Promise<string> {
  await writeFile(path, newSecret(), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return readFile(path, 'utf8');
}

async function listenNear(server: Server, host: string, port: number | undefined): Promise<string> {
  try {
    return await listen(server, { host, port: port ?? PORT });
  } catch (error) {
    if (port !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return listen(server, { host });
  }
}
