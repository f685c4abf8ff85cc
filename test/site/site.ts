/** The publisher's site, with the comment box on its articles. Every page is sent under a strict Content-Security-Policy with
 *  Trusted Types. */

import { fileURLToPath } from 'node:url';
import type { PostList } from '@vestibule/shared';
import express, { Router, type Response } from 'express';
import type { Html } from '../service/html.ts';
import { articles } from './articles.ts';
import { articlePage, frontPage, notFoundPage } from './pages.ts';

export interface SiteOptions {
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

  return Router()
    .get('/', (_req, res) => { sendPage(res, frontPage(articles)); })
    .get('/articles/:slug', async (req, res, next) => {
      const article = articles.find(({ slug }) => slug === req.params.slug);
      if (!article) return next();
      res.cookie(LAST_READ_COOKIE, article.slug, { httpOnly: true, sameSite: 'lax' });
      const { query } = req;
      const rendered = query['posts'] === 'server' ? await options.listPosts(`/articles/${article.slug}`) : undefined;
      sendPage(res, articlePage(options, article, { others: articles.filter((other) => other !== article), query, rendered }));
    })
    // Where the completion page leads: to the article that the reader was reading.
    .get('/back', (req, res) => {
      const cookies = (req.headers.cookie ?? '').split('; ');
      const article = articles.find(({ slug }) => cookies.includes(`${LAST_READ_COOKIE}=${slug}`));
      res.redirect(303, article ? `/articles/${article.slug}` : '/');
    })
    .use('/assets', express.static(ASSETS, { index: false, setHeaders: (res: Response) => res.set(headers) }))
    .use((_req, res) => { sendPage(res.status(404), notFoundPage()); });
}
