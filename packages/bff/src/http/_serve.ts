/** Serves middleware on a server of its own for one test. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express, type RequestHandler } from 'express';
import supertest from 'supertest';
import { problemResponse } from './problem-response.ts';
import { requestContext } from './request-context.ts';

export interface Served extends AsyncDisposable {
  readonly request: ReturnType<typeof supertest>;
  readonly port: number;
}

export function serve(...middleware: readonly (RequestHandler | RequestHandler[])[]): Promise<Served> {
  return serveApp((app) => { for (const handler of middleware) app.use(handler); });
}

/** Errors that `build` does not handle become problem responses. */
export async function serveApp(build: (app: Express) => void): Promise<Served> {
  const app = express();
  app.set('query parser', 'simple');
  app.use(requestContext());
  build(app);
  app.use(problemResponse(() => undefined));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    request: supertest(server),
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Ends the request with 204. */
export const done: RequestHandler = (_req, res) => { res.status(204).end(); };
