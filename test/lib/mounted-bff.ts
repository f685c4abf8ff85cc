/** The BFF as a library: mounted under `/vestibule` of a server, in front of an emulated service. */

import { createServer, type Server, type ServerOptions } from 'node:http';
import { createVestibule, type Overrides, type Vestibule, type VestibuleConfig } from '@vestibule/bff';
import express from 'express';
import { startEmulatedService, type EmulatedService, type ServiceOptions } from '../service/index.ts';
import { COOKIE_SECRET } from './bff-environment.ts';
import { closeServer, listen } from './loopback-server.ts';

export const MOUNT = '/vestibule';

export interface MountedBffOptions {
  /** In addition to the required ones. */
  readonly settings?: Partial<VestibuleConfig>;
  readonly overrides?: Overrides;
  readonly serviceOptions?: ServiceOptions;
  readonly serverOptions?: ServerOptions;
}

export interface MountedBff extends AsyncDisposable {
  readonly service: EmulatedService;
  readonly vestibule: Vestibule;
  readonly server: Server;
  /** `{bff}` on loopback. */
  readonly url: string;
  /** `{bff}` as browsers see it; `url` unless `settings` name another. */
  readonly publicUrl: string;
  readonly redirectUri: string;
}

export async function mountBff(options: MountedBffOptions): Promise<MountedBff> {
  const { settings = {}, overrides = {}, serviceOptions, serverOptions = {} } = options;
  await using stack = new AsyncDisposableStack();
  const server = createServer(serverOptions);
  const url = await listen(server) + MOUNT;
  const { publicUrl = url, redirectUri = `${publicUrl}/sync/return` } = settings;
  stack.defer(() => closeServer(server));
  const service = stack.use(await startEmulatedService({ redirectUris: [redirectUri], ...serviceOptions }));
  const vestibule = stack.use(await createVestibule({
    serviceUrl: service.url,
    publicKey: service.publicKey,
    secretKey: service.secretKey,
    forums: ['news'],
    publicUrl,
    cookieSecrets: [COOKIE_SECRET],
    store: 'memory:',
    ...settings,
  }, overrides));
  server.on('request', express().disable('x-powered-by').use(MOUNT, vestibule.router));
  const started = stack.move();
  return {
    service, vestibule, server, url, publicUrl, redirectUri,
    async [Symbol.asyncDispose]() {
      await closeServer(server);
      await started[Symbol.asyncDispose]();
    },
  };
}
