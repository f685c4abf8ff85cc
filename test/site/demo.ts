/** The demonstration: an emulated service on 127.0.0.1, and on localhost, which is another site to a browser, a newspaper
 *  with the BFF mounted under `/vestibule`. Keys and secrets are made afresh; nothing outlives it. */

import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { createVestibule, type Vestibule, type VestibuleConfig } from '@vestibule/bff';
import express, { Router, type RequestHandler } from 'express';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';
import { PAPER } from './pages/layout.ts';
import { questions } from './questions.ts';
import { createSite } from './site.ts';

const MOUNT = '/vestibule';

export interface DemoOptions {
  /** Default `localhost`. */
  readonly host?: string;
  /** Default 8080, or where that is taken any free one. */
  readonly port?: number;
  /** Settings of the BFF that differ from the demonstration's. */
  readonly vestibule?: Partial<VestibuleConfig>;
  /** Asked before the BFF and the newspaper are. */
  readonly before?: RequestHandler;
}

export interface Demo extends AsyncDisposable {
  /** Origin of the newspaper. */
  readonly url: string;
  readonly service: EmulatedService;
  readonly vestibule: Vestibule;
}

export async function startDemo({ host = 'localhost', port, vestibule: settings, before = Router() }: DemoOptions = {}): Promise<Demo> {
  const server = createServer();
  const url = await listenNear(server, host, port);
  const redirectUri = settings?.redirectUri ?? `${url}${MOUNT}/sync/return`;
  const service = await startEmulatedService({
    publisherName: PAPER,
    redirectUris: [redirectUri],
    completionReturnUrl: `${url}/back`,
  });
  const vestibule = await createVestibule({
    serviceUrl: service.url,
    publicKey: service.publicKey,
    secretKey: service.secretKey,
    forums: [...service.forums],
    publicUrl: url + MOUNT,
    cookieSecrets: [randomBytes(32).toString('hex')],
    store: 'memory:',
    logLevel: 'warn',
    validation: { fields: questions },
    ...settings,
  });
  const site = createSite({ vestibuleUrl: MOUNT, forum: 'news', serviceUrl: service.url, publicKey: service.publicKey, redirectUri });
  server.on('request', express().disable('x-powered-by').use(before).use(MOUNT, vestibule.router).use(site));

  return { url, service, vestibule, [Symbol.asyncDispose]: dispose };

  async function dispose(): Promise<void> {
    await closeServer(server);
    await vestibule.close();
    await service[Symbol.asyncDispose]();
  }
}

async function listenNear(server: Server, host: string, port: number | undefined): Promise<string> {
  try {
    return await listen(server, { host, port: port ?? 8080 });
  } catch (error) {
    if (port !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return listen(server, { host });
  }
}
