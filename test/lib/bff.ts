/** The BFF as a library: mounted under `/vestibule` of a server, in front of the emulated service, with its log kept and its
 *  clock under control. */

import { createServer, type Server, type ServerOptions } from 'node:http';
import { createVestibule, type Overrides, type Vestibule, type VestibuleConfig } from '@vestibule/bff';
import express from 'express';
import { pino } from 'pino';
import { startEmulatedService, type ServiceOptions } from '../service/index.ts';
import { COOKIE_SECRET } from './bff-environment.ts';
import { closeServer, listen } from './loopback-server.ts';
import { ReaderClient, type ReaderTarget } from './reader.ts';

export const MOUNT = '/vestibule';

const FORUMS = ['news', 'sport'];

export type BffSettings = Partial<VestibuleConfig> & {
  readonly serviceOptions?: ServiceOptions;
  readonly serverOptions?: ServerOptions;
};

export interface Bff extends ReaderTarget, AsyncDisposable {
  readonly server: Server;
  readonly vestibule: Vestibule;
  /** `{bff}` on loopback. */
  readonly url: string;
  /** `{bff}` as browsers see it; `url` unless the settings name another. */
  readonly publicUrl: string;
  /** Parsed lines of the BFF's log, at every level. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  browser(): ReaderClient;
  /** Moves the clock of the BFF and of its store. */
  passTime(seconds: number): void;
  now(): number;
}

/** @param settings in addition to the required ones */
export async function startBff(
  { serviceOptions, serverOptions = {}, ...settings }: BffSettings = {},
  overrides: Overrides = {},
): Promise<Bff> {
  const log: Record<string, unknown>[] = [];
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  await using stack = new AsyncDisposableStack();
  const server = createServer(serverOptions);
  const url = await listen(server) + MOUNT;
  stack.defer(() => closeServer(server));
  const { publicUrl = url, redirectUri = `${publicUrl}/sync/return` } = settings;
  const service = stack.use(await startEmulatedService({ redirectUris: [redirectUri], forums: FORUMS, ...serviceOptions }));
  const vestibule = stack.use(await createVestibule({
    serviceUrl: service.url,
    publicKey: service.publicKey,
    secretKey: service.secretKey,
    forums: FORUMS,
    publicUrl,
    cookieSecrets: [COOKIE_SECRET],
    store: 'memory:',
    ...settings,
  }, {
    now,
    logger: pino({ level: 'trace' }, { write: (line: string) => { log.push(JSON.parse(line) as Record<string, unknown>); } }),
    ...overrides,
  }));
  // Without `next`: this host has no other routes.
  server.on('request', express().disable('x-powered-by').use(MOUNT, (req, res) => { vestibule.router(req, res); }));
  const started = stack.move();
  const bff: Bff = {
    service, vestibule, server, url, publicUrl, redirectUri, log, now,
    path: MOUNT,
    origin: new URL(publicUrl).origin,
    browser: () => new ReaderClient(bff),
    passTime: (seconds) => { offsetMs += seconds * 1000; },
    async [Symbol.asyncDispose]() {
      await closeServer(server);
      await started[Symbol.asyncDispose]();
    },
  };
  return bff;
}
