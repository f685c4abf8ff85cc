/** A publisher's site with the comment box on its articles: for the demonstration and for tests in a browser. Every page
 *  is sent under a strict Content-Security-Policy, Trusted Types included. */

import { fileURLToPath } from 'node:url';
import express, { Router, type Request, type Response } from 'express';
import type { Html } from '../service/html.ts';
import { articles } from './articles/index.ts';
import type { SiteOptions } from './options.ts';
import { articlePage } from './pages/article-page.ts';
import { frontPage } from './pages/front-page.ts';
import { notFoundPage } from './pages/not-found-page.ts';
import { validationPage } from './pages/validation-page.ts';
import { securityHeaders } from './security-headers.ts';

const ASSETS = fileURLToPath(new URL('assets', import.meta.url));

const LAST_READ_COOKIE = 'courier-last-read';

/** To be mounted at the root of an origin. */
export function createSite(options: SiteOptions): Router {
  const router = Router();
  const headers = securityHeaders(options);
  router.get('/', showFrontPage);
  router.get('/articles/:slug', showArticle);
  router.get('/validate', showValidationPage);
  router.get('/back', goBackToReading);
  router.use('/assets', express.static(ASSETS, { index: false, setHeaders: (res: Response) => res.set(headers) }));
  router.use(showNothing);
  return router;

  function showFrontPage(_req: Request, res: Response): void {
    sendPage(res, frontPage(articles));
  }

  async function showArticle(req: Request, res: Response): Promise<void> {
    const article = articles.find(({ slug }) => slug === req.params['slug']);
    if (!article) return showNothing(req, res);
    res.cookie(LAST_READ_COOKIE, article.slug, { httpOnly: true, sameSite: 'lax' });
    const { query } = req;
    const rendered = query['posts'] === 'server' ? await options.listPosts(`/articles/${article.slug}`) : undefined;
    sendPage(res, articlePage(options, article, { others: articles.filter((other) => other !== article), query, rendered }));
  }

  function showValidationPage(_req: Request, res: Response): void {
    sendPage(res, validationPage(options));
  }

  /** Where the service leads a reader who signed in in the page: to the article that they were reading. */
  function goBackToReading(req: Request, res: Response): void {
    const cookies = (req.headers.cookie ?? '').split('; ');
    const article = articles.find(({ slug }) => cookies.includes(`${LAST_READ_COOKIE}=${slug}`));
    res.redirect(303, article ? `/articles/${article.slug}` : '/');
  }

  function showNothing(_req: Request, res: Response): void {
    sendPage(res.status(404), notFoundPage());
  }

  function sendPage(res: Response, page: Html): void {
    res.set(headers).set('Cache-Control', 'no-cache').type('html').send(page.text);
  }
}
