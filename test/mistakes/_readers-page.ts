/**
 * What a reader and the page's developers see of a mistake: an article with the built widget in a real browser, one for all
 * mistakes. The requests of the article are answered by the BFF of the scenario, as a proxy would, or by responses that it
 * gave before. Responses that a page of another origin may not read are withheld, as the browser does.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import supertest from 'supertest';
import type { SyncReturn } from '@vestibule/shared';
import { widgetDirectory } from '../../packages/bff/src/http/static-files.ts';
import { launchChromium } from '../lib/chromium.ts';
import type { Bff } from '../bff/_bff.ts';

/** As supertest returns it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Visit {
  readonly bff: Pick<Bff, 'server' | 'publicUrl'>;
  /** Origin of the article. Default: the BFF's. */
  readonly origin?: string;
  /** Attributes and elements of the page. Default: a comment box. */
  readonly body?: string;
  /** Query of the article's address. */
  readonly query?: string;
  readonly policy?: string;
  /** Responses by request, such as `POST /posts`; of several, the last one repeats. Default: those of `bff`. */
  readonly answers?: Readonly<Record<string, Answer | readonly [Answer, ...Answer[]]>>;
  /** Source of the widget's script. Default: a bundle of the article's own. */
  readonly script?: string;
}

const ARTICLE = '<p id="article">The article.</p>';

export class ReadersPage implements AsyncDisposable {
  readonly #page: Page;
  /** Lines of the console, popups included, addresses replaced. */
  console: string[] = [];
  #visit: Visit | undefined;
  /** Requests that got one of several responses. */
  readonly #answered = new Map<string, number>();

  private constructor(page: Page) {
    this.#page = page;
  }

  static async open(): Promise<ReadersPage> {
    const browser = await launchChromium();
    const context = await browser.newContext({ locale: 'en-GB', serviceWorkers: 'block' });
    context.setDefaultTimeout(10_000);
    const readers = new ReadersPage(await context.newPage());
    context.on('console', (message) => { readers.console.push(readers.#withoutAddresses(message.text())); });
    await context.route('**/*', (route) => readers.#answer(route));
    return readers;
  }

  /** Opens the article. */
  async visit(visit: Visit): Promise<void> {
    const { publicUrl } = visit.bff;
    const { origin = new URL(publicUrl).origin, query = '' } = visit;
    for (const other of this.#page.context().pages()) if (other !== this.#page) await other.close();
    await this.#page.goto('about:blank');
    await this.#page.context().clearCookies();
    this.#visit = visit;
    this.#answered.clear();
    this.console = [];
    await this.#page.goto(`${origin}/article${query}`);
  }

  /** Writes in the box, which makes it request the session. */
  async write(): Promise<void> {
    await this.#page.getByLabel('Your comment').fill('kept');
  }

  async click(name: string): Promise<void> {
    await this.#page.getByRole('button', { name }).click();
  }

  /** The form page in the window of the sign-in has signed the reader in. */
  async announceSignIn(): Promise<void> {
    await this.#page.evaluate((base) => {
      new BroadcastChannel(`vestibule ${base}`).postMessage({ vestibule: 'signed-in' });
    }, `${this.#visit?.bff.publicUrl ?? ''}/`);
  }

  /** Waits until a text of the box or of the form is `words`. @returns the reference that stands below; empty without one */
  async shows(words: string): Promise<string> {
    const found = await this.#page.waitForFunction(see, words).catch(async () => {
      throw new Error(`The page does not show “${words}”, but: ${JSON.stringify(await this.#page.evaluate(see, undefined), null, 1)}`);
    });
    return (await found.jsonValue() as Seen).reference;
  }

  /** The box is there and shows no failure. */
  async showsNoFailure(): Promise<void> {
    await this.#page.getByLabel('Your comment').waitFor();
    if (await this.#page.locator('[role=alert]').filter({ hasText: /\S/ }).count() > 0) throw new Error('The box shows a failure.');
  }

  /** The article is there, and the box is an unknown element without content. */
  async showsArticleOnly(): Promise<void> {
    const shown = await this.#page.evaluate(() => ({
      text: document.body.innerText.trim(), isDefined: customElements.get('vestibule-comments') !== undefined,
    }));
    if (shown.text !== 'The article.' || shown.isDefined) throw new Error(`The page shows more: ${shown.text}`);
  }

  /** Messages of the widget. */
  get hints(): readonly string[] {
    return this.console.filter((text) => text.startsWith('Vestibule: '));
  }

  /** Waits for a message of the widget. */
  async hint(): Promise<void> {
    if (this.hints.length === 0) await this.#page.context().waitForEvent('console', (message) => message.text().startsWith('Vestibule: '));
  }

  #withoutAddresses(text: string): string {
    if (!this.#visit) return text;
    const { publicUrl } = this.#visit.bff;
    const own = new URL(publicUrl).origin;
    const origin = this.#originOf(this.#visit);
    const named = text.replaceAll(publicUrl, '{bff}').replaceAll(new RegExp(`${own}(?![\\w:]|\\.\\w)`, 'g'), origin === own ? '{origin}' : '{bff origin}');
    return named.replaceAll(new RegExp(`${origin}(?![\\w:]|\\.\\w)`, 'g'), '{origin}');
  }

  #originOf({ origin, bff }: Visit): string {
    return origin ?? new URL(bff.publicUrl).origin;
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const url = new URL(request.url());
    const visit = this.#visit;
    if (!visit || url.pathname === '/favicon.ico') return route.fulfill({ status: 204 });
    const origin = this.#originOf(visit);
    if (url.origin === origin && url.pathname === '/article') return route.fulfill(articleOf(visit));
    if (url.origin === origin && url.pathname.startsWith('/bundle/')) {
      const body = await readFile(join(widgetDirectory(), url.pathname.slice('/bundle/'.length)));
      return route.fulfill({ contentType: 'text/javascript', body });
    }
    const path = url.href.startsWith(visit.bff.publicUrl) ? url.pathname.slice(new URL(visit.bff.publicUrl).pathname.length) : '';
    const { status, headers, text } = this.#givenAnswer(`${request.method()} ${path}`) ?? await forward(route, visit.bff);
    const isForeign = url.origin !== origin && !request.isNavigationRequest();
    if (isForeign && headers['access-control-allow-origin'] === undefined) return route.abort();
    const { 'content-length': _, 'transfer-encoding': __, connection: ___, 'set-cookie': ____, ...rest } = headers;
    return route.fulfill({ status, headers: rest, body: text });
  }

  #givenAnswer(request: string): Answer | undefined {
    const given = this.#visit?.answers?.[request];
    if (given === undefined || 'status' in given) return given;
    const count = this.#answered.get(request) ?? 0;
    this.#answered.set(request, count + 1);
    return given[Math.min(count, given.length - 1)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#page.context().browser()?.close();
  }
}

function articleOf({ bff, body, policy, script = '/bundle/widget.js' }: Visit) {
  const content = body ?? `<vestibule-comments forum="news" bff="${bff.publicUrl}"></vestibule-comments>`;
  return {
    contentType: 'text/html; charset=utf-8',
    ...(policy !== undefined && { headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy } }),
    body: `<!doctype html><html lang="en"><title>Article</title>${ARTICLE}<script type="module" src="${script}"></script>${content}</html>`,
  };
}

/** To the server of the BFF, as a proxy that passes everything on. */
async function forward(route: Route, { server }: Visit['bff']): Promise<Answer> {
  const request = route.request();
  const { pathname, search } = new URL(request.url());
  const { host: _, 'accept-encoding': __, ...headers } = await request.allHeaders();
  const sent = supertest(server)[request.method().toLowerCase() as 'get'](pathname + search).redirects(0).buffer(true)
    .set(Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(':'))));
  const data = request.postData();
  return (data === null ? sent : sent.send(data)) as unknown as Promise<Answer>;
}

interface Seen {
  /** Of alerts, states, headings and paragraphs, without references. */
  readonly texts: readonly string[];
  readonly reference: string;
}

/** Runs in the page. `undefined` if no text is `words`. */
function see(words: string | undefined): Seen | undefined {
  const texts: string[] = [];
  let reference = '';
  const roots: ParentNode[] = [document];
  for (const root of roots) {
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
    if (root === document) continue;
    for (const block of root.querySelectorAll('[role=alert], [role=status], [role=heading], p')) {
      const copy = block.cloneNode(true) as Element;
      for (const element of copy.querySelectorAll('.reference')) element.remove();
      texts.push(copy.textContent.replace(/\s+/g, ' ').replace(/in \d+ seconds?\./, 'in … seconds.').trim());
    }
    reference ||= root.querySelector('.reference bdi')?.textContent ?? '';
  }
  return words === undefined || texts.includes(words) ? { texts: texts.filter((text) => text !== ''), reference } : undefined;
}

/** The query of a return to a page of the publisher. */
export function queryOf(syncReturn: SyncReturn): string {
  return `?${new URLSearchParams({ ...syncReturn }).toString()}`;
}

export function json(body: object): Answer {
  return { status: 200, headers: { 'content-type': 'application/json' }, text: JSON.stringify(body) };
}
