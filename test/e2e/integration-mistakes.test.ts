/** Mistakes in how a page embeds the widget: the reader gets true words, its developers one console message with the fix. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import type { IntegrationMistake } from '../../packages/widget/src/client/integration-hints.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { servePage, strictPolicy, type PagePlan } from './_policed-page.ts';
import { allow, answerInWindow, openSignIn, signIn, startStage, turnTo, type Visitor } from './_stage.ts';

const NOT_ALLOWED = 'This page is not allowed to use the comment service. Please contact the site.';
const NOT_FOUND = 'The comment service was not found. Please contact the site.';
const FALLBACK = 'The comment box could not be loaded here.';

const boxOf = (script: string, box: string): string => (
  `<script type="module" src="${script}"></script><vestibule-comments ${box}></vestibule-comments>`
);

interface MistakenPage {
  /** Attributes of the box. */
  readonly box?: string;
  readonly policy?: string;
  readonly script?: string;
}

describe('a page with a mistake', () => {
  let plan: PagePlan;
  const page = suiteResource(() => servePage(() => plan));
  const stranger = suiteResource(() => servePage(() => plan));
  const stage = suiteResource(() => startStage({
    allowedOrigins: [page().origin, page().origin.replace('localhost', '127.0.0.1')],
  }));

  const bff = (): string => `${stage().demo.url}/vestibule`;

  async function open(visitor: Visitor, mistake: MistakenPage, origin = page().origin): Promise<void> {
    const { box = 'forum="news"', policy = strictPolicy(stage().demo.url), script = `${bff()}/widget.js` } = mistake;
    plan = { policy, body: boxOf(script, box) };
    await visitor.page.goto(origin);
  }

  /** Messages of the widget in the console, all pages included. */
  function watchConsole({ context }: Visitor): string[] {
    const messages: string[] = [];
    context.on('console', (message) => {
      if (message.text().startsWith('Vestibule: ')) messages.push(message.text());
    });
    return messages;
  }

  function isOnlyMessage(messages: readonly string[], mistake: IntegrationMistake, ...names: readonly string[]): void {
    const [message = '', ...more] = messages;
    assert.deepEqual(more, []);
    for (const name of names) assert.ok(message.includes(name), `${name} in: ${message}`);
    assert.ok(message.endsWith(` See docs/troubleshooting.md#${mistake}`), message);
  }

  /** The words stand in the box, and the reader's text is kept. */
  async function tells({ box }: Visitor, words: string): Promise<void> {
    await box.getByRole('alert').getByText(words).waitFor();
    assert.equal(await box.getByLabel('Your comment').inputValue(), 'kept');
  }

  it('on an origin that is not allowed, as www is against the apex domain', async () => {
    await using visitor = await stage().reader();
    const messages = watchConsole(visitor);
    await open(visitor, { box: 'forum="news" show-posts' }, stranger().origin);
    await visitor.box.getByLabel('Your comment').fill('kept');
    await tells(visitor, NOT_ALLOWED);
    isOnlyMessage(messages, 'origin-not-allowed', stranger().origin, 'VESTIBULE_ALLOWED_ORIGINS');
  });

  it('on an origin that is not allowed: the reference in the box finds the one line, which names the origin', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => { lines.push(JSON.parse(line) as Record<string, unknown>); } });
    await using logged = await startStage({}, { overrides: { logger } });
    await using visitor = await logged.reader();
    plan = { policy: strictPolicy(logged.demo.url), body: boxOf(`${logged.demo.url}/vestibule/widget.js`, 'forum="news"') };
    await visitor.page.goto(stranger().origin);
    await visitor.box.getByLabel('Your comment').fill('kept');
    await tells(visitor, NOT_ALLOWED);
    const reference = await visitor.box.getByText(/^Reference: [\da-f]{8}$/).textContent();
    assert.deepEqual(
      lines.map(({ msg, origin, setting, request_id: id }) => [msg, origin, setting, `Reference: ${String(id).slice(0, 8)}`]),
      [['page refused', stranger().origin, 'VESTIBULE_ALLOWED_ORIGINS', reference?.trim()]],
    );
  });

  for (const [title, path] of [['answers 404', '/no-such-path'], ['is another page', '/articles/lamplighter']] as const) {
    it(`whose attribute bff leads to an address that ${title}`, async () => {
      await using visitor = await stage().reader();
      const messages = watchConsole(visitor);
      await visitor.open(`/articles/lamplighter?bff=${path}`);
      await visitor.box.getByLabel('Your comment').fill('kept');
      await tells(visitor, NOT_FOUND);
      isOnlyMessage(messages, 'bff-not-found', `${stage().demo.url}${path}/`, 'VESTIBULE_PUBLIC_URL');
    });
  }

  it('whose policy has no connect-src for the BFF', async () => {
    await using visitor = await stage().reader();
    const messages = watchConsole(visitor);
    const policy = strictPolicy(stage().demo.url).replace(/connect-src [^;]*/, `connect-src 'self'`);
    await open(visitor, { box: 'forum="news" show-posts', policy });
    await visitor.box.getByLabel('Your comment').fill('kept');
    await tells(visitor, NOT_ALLOWED);
    isOnlyMessage(messages, 'csp-connect-src', stage().demo.url);
  });

  it('whose policy does not allow Lit’s Trusted Types policy', async () => {
    await using visitor = await stage().reader();
    const messages = watchConsole(visitor);
    const logged = visitor.context.waitForEvent('console', (message) => message.text().startsWith('Vestibule: '));
    await open(visitor, { policy: strictPolicy(stage().demo.url, 'trusted-types default') });
    await visitor.box.getByText(FALLBACK).waitFor();
    await logged;
    isOnlyMessage(messages, 'trusted-types', 'lit-html');
  });

  it('with a forum that the BFF does not know: the window closes, and the box says so', async () => {
    await using visitor = await stage().reader();
    const messages = watchConsole(visitor);
    await open(visitor, { box: 'forum="mistyped"' });
    await visitor.box.getByLabel('Your comment').fill('kept');
    const popup = visitor.page.waitForEvent('popup').then((window) => (window.isClosed() ? undefined : window.waitForEvent('close')));
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).click();
    await tells(visitor, 'Comments are not set up for this page. Please contact the site.');
    await popup;
    await visitor.box.getByText(/^Reference: [\da-f]{8}$/).waitFor();
    isOnlyMessage(messages, 'unknown-forum', '"mistyped"', 'VESTIBULE_FORUMS');
  });

  it('with a forum that the service does not know: the window has true words and the reference, and the box has the same', async () => {
    await using mistaken = await startStage({ forums: ['mistyped'], allowedOrigins: [page().origin] });
    await using visitor = await mistaken.reader();
    const messages = watchConsole(visitor);
    const logged = visitor.context.waitForEvent('console', (message) => message.text().startsWith('Vestibule: '));
    plan = { policy: strictPolicy(mistaken.demo.url), body: boxOf(`${mistaken.demo.url}/vestibule/widget.js`, 'forum="mistyped"') };
    await visitor.page.goto(page().origin);
    await turnTo(visitor.box);
    const window = await openSignIn(visitor);
    await window.getByRole('heading', { name: 'Access was not allowed' }).waitFor();
    const reference = (await window.getByText(/^Reference: [\da-f]{8}$/).textContent())?.trim() ?? '';
    await visitor.box.getByText('Access was not allowed, so you are not signed in.').getByText(reference).waitFor();
    await logged;
    isOnlyMessage(messages, 'forum-unknown-to-service', 'VESTIBULE_FORUMS', 'VESTIBULE_REDIRECT_URI');
  });

  it('on another site than the BFF, whose cookie it does not get', async () => {
    await using visitor = await stage().reader();
    const messages = watchConsole(visitor);
    await open(visitor, {}, page().origin.replace('localhost', '127.0.0.1'));
    await signInInWindow(visitor, (window) => window.getByRole('link', { name: 'Continue to sign in' }).click());
    isOnlyMessage(messages, 'bff-on-another-site', bff(), 'http://127.0.0.1:');
  });

  it('in a frame of another site, where the browser sends no cookie', async () => {
    const outer = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<iframe src="${page().origin}" width="600" height="600"></iframe>`);
    });
    const origin = await listen(outer);
    await using visitor = await stage().reader();
    const messages = watchConsole(visitor);
    try {
      await open(visitor, {});
      await visitor.page.goto(origin);
      await signInInWindow({ ...visitor, box: visitor.page.frameLocator('iframe').locator('vestibule-comments') });
      isOnlyMessage(messages, 'cookies-blocked', bff(), page().origin);
    } finally {
      await closeServer(outer);
    }
  });

  it('that shows posts which the BFF does not list', async () => {
    await using withoutList = await startStage({ posts: {} });
    await using visitor = await withoutList.reader();
    const messages = watchConsole(visitor);
    const logged = visitor.context.waitForEvent('console', (message) => message.text().startsWith('Vestibule: '));
    await Promise.all([
      logged,
      visitor.open().then(() => visitor.box.getByText('The comments could not be loaded.').waitFor()),
    ]);
    isOnlyMessage(messages, 'no-posts-list', `${withoutList.demo.url}/vestibule/`, 'posts.list');
  });

  it('without a mistake signs in without an error in the console, also if the BFF lists no posts', async () => {
    await using withoutList = await startStage({ posts: {}, allowedOrigins: [page().origin] });
    await using visitor = await withoutList.reader();
    const failures: string[] = [];
    visitor.context.on('response', (response) => {
      if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
    });
    plan = { policy: strictPolicy(withoutList.demo.url), body: boxOf(`${withoutList.demo.url}/vestibule/widget.js`, 'forum="news"') };
    await visitor.page.goto(page().origin);
    await turnTo(visitor.box);
    await signIn(visitor);
    assert.deepEqual([failures, visitor.complaints], [[], []]);
  });

  it('without a mistake leaves the console alone', async () => {
    await using visitor = await stage().reader();
    const messages = watchConsole(visitor);
    await open(visitor, { box: 'forum="news" show-posts' });
    await turnTo(visitor.box);
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
    await visitor.box.getByText('No comments yet.').waitFor();
    assert.deepEqual([messages, visitor.complaints], [[], []]);
  });

  /** The sign-in succeeds, and the box says that it cannot use it. @param begin what the window asks at first */
  async function signInInWindow({ context, box }: Visitor, begin?: (window: Page) => Promise<void>): Promise<void> {
    await box.getByLabel('Your comment').fill('kept');
    const opened = context.waitForEvent('page');
    const logged = context.waitForEvent('console', (message) => message.text().startsWith('Vestibule: '));
    await box.getByRole('button', { name: 'Sign in to post' }).click();
    const popup = await opened;
    await begin?.(popup);
    await allow(popup);
    await answerInWindow(popup);
    await box.getByText('your browser does not let this page use the sign-in').waitFor();
    await logged;
    assert.equal(await box.getByLabel('Your comment').inputValue(), 'kept');
  }
});
