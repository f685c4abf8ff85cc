/** The publisher's site, with the comment box on its articles. Every page is sent under a strict Content-Security-Policy with
 *  Trusted Types. */

import { fileURLToPath } from 'node:url';
import type { PostList } from '@vestibule/shared';
import cookieParser from 'cookie-parser';
import express, { Router, type Request, type Response } from 'express';
import { html, type Html } from '../service/html.ts';
import { articles } from './articles.ts';
import { searchOf, viewOf, type Switches } from './bar.ts';
import { articlePage, frontPage, notePage, type PageState } from './pages.ts';
import type { Trace } from './trace.ts';

export interface SiteOptions {
  readonly origin: string;
  /** Path of `{bff}` on this origin. */
  readonly vestibuleUrl: string;
  /** The forum of every box that names no other. */
  readonly forum: string;
  /** `base_url` of the service. */
  readonly serviceUrl: string;
  /** The publisher's `client_id`. */
  readonly publicKey: string;
  readonly redirectUri: string;
  /** The posts of a page by its path. */
  readonly listPosts: (path: string) => Promise<PostList>;
  readonly trace: Trace;
  /** State of the switches for the page at a path. */
  readonly state: (path: string) => Switches;
  /** @param change such as `service=down` */
  readonly set: (change: string, path: string) => Promise<unknown>;
}

const ASSETS = fileURLToPath(new URL('assets', import.meta.url));

const LAST_READ_COOKIE = 'courier-last-read';

/** To be mounted at the root of an origin. */
export function createSite(options: SiteOptions): Router {
  const headers = {
    'Content-Security-Policy': "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
      + `form-action 'self' ${new URL(options.serviceUrl).origin}; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
    'Referrer-Policy': 'strict-origin',
    'X-Content-Type-Options': 'nosniff',
  };
  const sendPage = (res: Response, page: Html) => res.set(headers).set('Cache-Control', 'no-cache').type('html').send(page.text);

  const pageState = ({ path, query }: Request): PageState => ({ view: viewOf(query), state: options.state(path) });

  return Router()
    .get('/', (req, res) => { sendPage(res, frontPage(options, articles, pageState(req))); })
    .get('/articles/:slug', async (req, res, next) => {
      const article = articles.find(({ slug }) => slug === req.params.slug);
      if (!article) return next();
      const page = pageState(req);
      res.cookie(LAST_READ_COOKIE, `${article.slug}${searchOf(page.view)}`, { httpOnly: true, sameSite: 'lax' });
      const rendered = req.query['posts'] === 'server' ? await options.listPosts(req.path) : undefined;
      sendPage(res, articlePage(options, article, { others: articles.filter((other) => other !== article), rendered, ...page }));
    })
    // Where the completion page leads: to the article that the reader was reading.
    .get('/back', cookieParser(), (req, res) => {
      const [slug, search] = String((req.cookies as Record<string, string>)[LAST_READ_COOKIE]).split('?');
      const isKnown = articles.some((article) => article.slug === slug);
      res.redirect(303, isKnown ? `/articles/${slug}${searchOf(viewOf(Object.fromEntries(new URLSearchParams(search))))}#comments` : '/');
    })
    .get('/report', (req, res) => {
      const text = html`Here a reader of a real newspaper says what is wrong with the comment ${String(req.query['id'])}.`;
      sendPage(res, notePage('/report', ['Report', 'Report a comment'], text, pageState(req)));
    })
    .get('/demonstration/trace', (_req, res) => { res.set('Cache-Control', 'no-store').json(options.trace.stories); })
    .post('/demonstration', express.urlencoded({ extended: false }), async (req, res) => {
      const { set, back } = req.body as Record<string, unknown>;
      const page = URL.parse(String(back), options.origin);
      if (req.get('Origin') !== options.origin || page?.origin !== options.origin) return void res.sendStatus(403);
      await options.set(String(set), page.pathname);
      // The browser may keep a list for 15 seconds.
      res.set('Clear-Site-Data', '"cache"').redirect(303, `${page.pathname}${page.search}#comments`);
    })
    .use('/assets', express.static(ASSETS, { index: false, setHeaders: (res: Response) => res.set(headers) }))
    .use((req, res) => {
      const text = html`There is no page at this address. The <a href="/">front page</a> has what we printed today.`;
      sendPage(res.status(404), notePage('/', ['404', 'Not in this edition'], text, pageState(req)));
    });
}
