/** Serves the gallery: the states, the host pages, the built widget, and a scripted BFF per element under `/bff/{name}/`.
 *  Every page has a strict Content-Security-Policy. */

import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { StaticFiles } from '../../packages/bff/src/http/static-files.ts';
import { scriptedBff } from '../../packages/widget/testing/scripted-bff.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import type { Html } from '../service/html.ts';
import { hosts } from './hosts/index.ts';
import { indexPage, statePage, statesPage } from './pages.ts';
import { states } from './states.ts';

export interface Gallery extends AsyncDisposable {
  readonly url: string;
}

const POLICY = [
  `default-src 'none'`, `script-src 'self'`, `style-src 'self'`, `connect-src 'self'`, `img-src 'self'`, `base-uri 'none'`,
  `form-action 'none'`, `frame-ancestors 'none'`, `require-trusted-types-for 'script'`, 'trusted-types lit-html',
].join('; ');

/** @param port default: any free one */
export async function startGallery(port = 0, host = '127.0.0.1'): Promise<Gallery> {
  const server = createServer(createGallery(await StaticFiles.read()));
  return { url: await listen(server, { host, port }), [Symbol.asyncDispose]: () => closeServer(server) };
}

function createGallery(widget: StaticFiles): Express {
  const app = express().disable('x-powered-by');
  app.use('/vestibule', widget.handler);
  app.use('/assets', express.static(fileURLToPath(new URL('assets', import.meta.url)), { index: false }));
  app.use(askScriptedBff());
  app.get('/', (_req, res) => send(res, indexPage()));
  app.get('/states', (_req, res) => send(res, statesPage(states)));
  for (const state of states) app.get(`/states/${state.name}`, (_req, res) => send(res, statePage(state)));
  for (const host of hosts) app.get(`/hosts/${host.name}`, (_req, res) => send(res, host.page()));
  app.get('/favicon.ico', (_req, res) => void res.status(204).end());
  return app;
}

/** Adapts the scripted BFF of the element tests to Express. */
function askScriptedBff() {
  const ask = scriptedBff();
  return (req: Request, res: Response, next: NextFunction): void => {
    const context = { path: req.path, req, res, respond: true } as unknown as Parameters<typeof ask>[0];
    Promise.resolve(ask(context, () => Promise.resolve(next()))).catch(next);
  };
}

function send(res: Response, page: Html): void {
  res.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' }).type('html').send(page.text);
}
