/** The demonstration: an emulated service with threads on 127.0.0.1, and on localhost, which is another site to a browser, a
 *  newspaper with the BFF mounted under `/vestibule`. Keys are made afresh; posts and sessions are kept in `directory`. */

import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { createVestibule, type Overrides, type Vestibule, type VestibuleConfig } from '@vestibule/bff';
import express, { Router, type RequestHandler } from 'express';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';
import { entranceUrl, PAPER } from './pages.ts';
import { questions } from './questions.ts';
import { seedPosts } from './seed-posts.ts';
import { createSite } from './site.ts';

const MOUNT = '/vestibule';

const FORUM = 'news';

const EXAMPLE = new URL('../../packages/bff/examples/threads-service.mjs', import.meta.url);

export interface DemoOptions {
  /** Default: `localhost`. */
  readonly host?: string;
  /** Default 8080, or where that is taken any free one. */
  readonly port?: number;
  /** Keeps posts, sessions and the cookie secret; there are a few posts at first. Default: nothing is kept, no posts. */
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
  const { host = 'localhost', port, directory, embedded = false, vestibule: settings, overrides = {}, before = Router() } = options;
  if (directory !== undefined) await mkdir(directory, { recursive: true });
  const server = createServer();
  const url = await listenNear(server, host, port);
  const redirectUri = settings?.redirectUri ?? `${url}${MOUNT}/sync/return`;
  const service = await startEmulatedService({
    publisherName: PAPER,
    redirectUris: [redirectUri],
    completionReturnUrl: `${url}/back`,
    forums: [FORUM],
    threads: true,
    ...(directory !== undefined && { stateFile: join(directory, 'service.json'), posts: seedPosts(url, FORUM) }),
  });
  const { default: { posts } } = await import(EXAMPLE.href) as { default: Pick<VestibuleConfig, 'posts'> };
  const client = { forum: FORUM, serviceUrl: service.url, publicKey: service.publicKey, redirectUri };
  const vestibule = await createVestibule({
    serviceUrl: service.url,
    publicKey: service.publicKey,
    secretKey: service.secretKey,
    forums: [...service.forums],
    publicUrl: url + MOUNT,
    cookieSecrets: [directory === undefined ? newSecret() : await keptSecret(join(directory, 'cookie-secret'))],
    store: directory === undefined ? 'memory:' : `sqlite:${join(directory, 'vestibule.db')}`,
    logLevel: 'warn',
    site: { name: PAPER, accent: '#1c5273' },
    validation: { fields: questions },
    posts,
    ...(embedded && { embeddedUrl: entranceUrl(client, 'page') }),
    ...settings,
  }, overrides);
  const site = createSite({
    ...client,
    vestibuleUrl: MOUNT,
    listPosts: (path) => vestibule.listPosts({ page: url + path }),
  });
  server.on('request', express().disable('x-powered-by').use(before).use(MOUNT, vestibule.router).use(site));

  return { url, service, vestibule, [Symbol.asyncDispose]: dispose };

  async function dispose(): Promise<void> {
    await closeServer(server);
    await vestibule.close();
    await service[Symbol.asyncDispose]();
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
    return await listen(server, { host, port: port ?? 8080 });
  } catch (error) {
    if (port !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return listen(server, { host });
  }
}
