/** Serves the gallery: a page with every state of both elements, a page for each state, the built widget, and a scripted BFF for
 *  each element under `/bff/{id}/`. Every page has a strict Content-Security-Policy. */

import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import express, { type Request, type Response } from 'express';
import { scriptedBff } from '../../packages/widget/testing/scripted-bff.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { attribute, html, type Html } from '../service/html.ts';
import { states, type State } from './states.ts';

export interface Gallery extends AsyncDisposable {
  readonly url: string;
}

const POLICY = [
  `default-src 'none'`, `script-src 'self'`, `style-src 'self'`, `connect-src 'self'`, `img-src 'self'`, `base-uri 'none'`,
  `form-action 'none'`, `frame-ancestors 'none'`, `require-trusted-types-for 'script'`, 'trusted-types lit-html',
].join('; ');

const folder = (path: string) => express.static(fileURLToPath(new URL(path, import.meta.url)), { index: false });

/** @param port default: any free one */
export async function startGallery(port = 0): Promise<Gallery> {
  const app = express().disable('x-powered-by');
  const server = createServer(app);
  const url = await listen(server, { port });
  const bff = scriptedBff();
  app.use('/vestibule', folder('../../packages/bff/dist/widget'));
  app.use('/assets', folder('assets'));
  app.use((req, res, next) => {
    const context = { path: req.path, req, res, respond: true } as unknown as Parameters<typeof bff>[0];
    Promise.resolve(bff(context, () => Promise.resolve(next()))).catch(next);
  });
  app.get('/favicon.ico', (_req, res) => void res.status(204).end());
  app.get('/', (_req, res) => send(res, 'Every state', states.filter(({ query }) => query === undefined)));
  app.get('/states/:name', (req: Request<{ name: string }>, res) => send(res, title(req.params), states.filter(({ name }) => name === req.params.name)));
  return { url, [Symbol.asyncDispose]: () => closeServer(server) };

  async function send(res: Response, heading: string, shown: readonly State[]): Promise<void> {
    const places = await Promise.all(shown.map(place));
    res.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' }).type('html').send(html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${heading}</title>
<link rel="stylesheet" href="/assets/gallery.css">
<script defer src="/assets/gallery.js"></script>
<script type="module" src="/vestibule/widget.js"></script>
<body><main><h1>${heading}</h1>${places}</main></body>
</html>`.text);
  }

  /** An element whose BFF has its responses. */
  async function place(state: State): Promise<Html> {
    const base = `${url}/bff/${crypto.randomUUID()}/`;
    await fetch(`${base}-script`, { method: 'POST', body: JSON.stringify(state.bff ?? {}) });
    const attributes = Object.entries({ forum: 'news', bff: base, ...state.attributes }).map(([name, value]) => attribute(name, value));
    const element = state.tag === 'vestibule-sync' ? html`<vestibule-sync${attributes}></vestibule-sync>` : html`<vestibule-comments${attributes}></vestibule-comments>`;
    return html`<h2><a href="/states/${state.name}${state.query}">${title(state)}</a></h2>
<div id="${state.name}" data-state="${JSON.stringify(state)}">${element}</div>`;
  }
}

function title({ name }: { readonly name: string }): string {
  return name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
}
