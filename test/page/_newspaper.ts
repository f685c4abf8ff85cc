/** The newspaper with its BFF, and its article in other ways: what stands in the page instead of the widget's script tag is
 *  asked for in the page's query. Beside it a plain page that reserves the box's room as docs/looks.md says. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import express, { type RequestHandler } from 'express';
import { startDemo, type Demo } from '../site/demo.ts';

export const ARTICLE = '/articles/lamplighter';

/** `none`: nothing of the widget's. `blocking`: beside it a script in the head that the page waits for. `busy`: before it one
 *  of the widget's address that keeps the processor busy. */
export type Variant = 'none' | 'blocking' | 'busy';

export const variantOf = (variant: Variant): string => `${ARTICLE}?variant=${variant}`;

/** The plain page's query. */
export interface PlainPage {
  readonly lang?: string;
  readonly dir?: 'rtl';
  /** Of the body. */
  readonly style?: string;
  /** Of the box. */
  readonly attributes?: string;
  /** Whether so much text comes first that the box is far below. */
  readonly above?: 'much';
  /** Whether the page does without that rule. */
  readonly unreserved?: 'yes';
}

export const plainPage = (page: PlainPage = {}): string => `/plain?${new URLSearchParams(Object.entries(page))}`;

const SCRIPT_TAG = '<script type="module" src="/vestibule/widget.js"></script>';
const BOX = /<vestibule-comments[^>]*><\/vestibule-comments>/;

/** On the clock: as much as a script of 70 kB takes a slow phone. */
const BUSY_MS = 250;

export async function startNewspaper(): Promise<Demo> {
  const css = await readReservingCss();
  return startDemo({
    port: 0,
    vestibule: { rateLimits: 'off', logLevel: 'silent' },
    before: express.Router().get(['/busy.js', '/vestibule/busy.js'], sendBusyScript).get('/plain', sendPlainPage(css)).use(varyArticle),
  });
}

/** What the documentation tells a publisher to write. */
async function readReservingCss(): Promise<string> {
  const page = await readFile(resolve(import.meta.dirname, '../../docs/looks.md'), 'utf8');
  const [, css] = /Keep the place free[^]*?```css\n([^]*?)```/.exec(page) ?? [];
  if (!css) throw new Error('docs/looks.md says nothing about keeping the place free.');
  return css;
}

const varyArticle: RequestHandler = (req, res, next) => {
  const send = res.send.bind(res);
  switch (req.query['variant']) {
    case 'none':
      res.send = (page: string) => send(page.replace(SCRIPT_TAG, '').replace(BOX, ''));
      break;
    case 'blocking':
      res.send = (page: string) => send(page.replace('<link rel="stylesheet"', '<script src="/busy.js"></script>$&'));
      break;
    case 'busy':
      res.send = (page: string) => send(page.replace(SCRIPT_TAG, '<script type="module" src="/vestibule/busy.js"></script>$&'));
      break;
  }
  next();
};

const sendBusyScript: RequestHandler = (_req, res) => {
  res.type('js').send(`for (const end = performance.now() + ${BUSY_MS}; performance.now() < end;);`);
};

function sendPlainPage(css: string): RequestHandler {
  return (req, res) => {
    const { lang = 'en', dir = 'ltr', style = '', attributes = '', above, unreserved } = req.query as PlainPage;
    res.type('html').send(`<!doctype html>
      <html lang="${lang}" dir="${dir}">
      <meta name="viewport" content="width=device-width">
      <title>A page</title>
      <style>${unreserved ? '' : css}</style>
      ${SCRIPT_TAG}
      <body style="${style}">
      <h1>A page</h1>
      ${above ? '<p>The boat left at nine, and nobody was on it.</p>'.repeat(200) : ''}
      <vestibule-comments forum="news" ${attributes}></vestibule-comments>
      <p>What comes after the box.</p>
      </html>`);
  };
}
