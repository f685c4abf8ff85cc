/** Mistakes in how a page embeds the widget: the reader reads a true sentence, the developer one console message with the fix. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';
import { servePage, strictPolicy, type PagePlan } from './_policed-page.ts';
import { allow, answerInWindow, openSignIn, startStage, textField, type Visitor } from './_stage.ts';

interface Mistake {
  readonly title: string;
  /** Anchor of the console message. */
  readonly hint: string;
  /** Parts of the console message. */
  readonly names: readonly string[];
  /** In the box. */
  readonly words: string;
  readonly attributes?: string;
  readonly policy?: (policy: string) => string;
  readonly isStranger?: true;
  /** Whether it shows after the press on the sign-in button. */
  readonly isAtSignIn?: true;
}

const NOT_AVAILABLE = 'Signing in is not possible right now.';

const mistakes: readonly Mistake[] = [
  {
    title: 'an origin that is not allowed, as www is against the apex domain', isStranger: true, words: NOT_AVAILABLE,
    attributes: 'forum="news" show-posts', hint: 'origin-not-allowed', names: ['VESTIBULE_ALLOWED_ORIGINS'],
  },
  {
    title: 'an address bff that is another page', attributes: 'forum="news" bff="/other"',
    words: 'Comments are not available on this page.', hint: 'not-the-bff', names: ['VESTIBULE_PUBLIC_URL'],
  },
  {
    title: 'a policy without the BFF in connect-src', policy: (policy) => policy.replace(/connect-src [^;]*/, `connect-src 'self'`),
    words: NOT_AVAILABLE, hint: 'origin-not-allowed', names: ['connect-src'],
  },
  {
    title: 'a forum that the BFF does not have', attributes: 'forum="mistyped"', isAtSignIn: true,
    words: 'Comments are not available on this page.', hint: 'unknown-forum', names: ['"mistyped"', 'VESTIBULE_FORUMS'],
  },
];

describe('a page with', () => {
  let plan: PagePlan;
  const page = suiteResource(() => servePage(() => plan));
  const stranger = suiteResource(() => servePage(() => plan));
  const stage = suiteResource(() => startStage({
    allowedOrigins: [page().origin, page().origin.replace('localhost', '127.0.0.1')],
  }));

  async function open(visitor: Visitor, { attributes = 'forum="news"', policy = (same) => same }: Partial<Mistake>, origin: string) {
    const { url } = stage().demo;
    plan = {
      policy: policy(strictPolicy(url)),
      body: `<script type="module" src="${url}/vestibule/widget.js"></script><vestibule-comments ${attributes}></vestibule-comments>`,
    };
    await visitor.page.goto(origin);
  }

  async function isOnlyHint({ hints }: Visitor, hint: string, names: readonly string[]): Promise<void> {
    await until('a console message', () => hints.length > 0);
    assert.equal(hints.length, 1);
    for (const name of names) assert.ok(hints[0]?.includes(name), `${name} in: ${hints[0]}`);
    assert.ok(hints[0]?.endsWith(`(${hint})`), hints[0]);
  }

  for (const { title, hint, names, words, isStranger, isAtSignIn, ...mistake } of mistakes) {
    it(title, async () => {
      await using visitor = await stage().reader();
      await open(visitor, mistake, isStranger ? stranger().origin : page().origin);
      await textField(visitor.box).fill('kept');
      if (isAtSignIn) await visitor.box.getByRole('button', { name: /^Sign in (?:to comment|and post)$/ }).click();
      await visitor.box.getByText(words).first().waitFor();
      assert.equal(await textField(visitor.box).inputValue(), 'kept');
      await isOnlyHint(visitor, hint, names);
    });
  }

  for (const [title, attributes, hint, names] of [
    ['the thread of a forum that the BFF does not have', 'forum="mistyped" show-posts', 'unknown-forum', ['"mistyped"', 'VESTIBULE_FORUMS']],
    ['the thread of an article on another origin', 'forum="news" page="https://staging.example/article" show-posts', 'page-not-allowed',
      ['https://staging.example', 'VESTIBULE_ALLOWED_ORIGINS']],
  ] as const) {
    it(`${title}, at the load, before a press`, async () => {
      await using visitor = await stage().reader();
      await open(visitor, { attributes }, page().origin);
      await isOnlyHint(visitor, hint, names);
    });
  }

  for (const [title, isFramed] of [
    ['another site than the BFF, whose cookie it does not get', false],
    ['a frame of another site, where the browser sends no cookie', true],
  ] as const) {
    it(title, async () => {
      const outer = createServer((_request, response) => {
        response.setHeader('Content-Type', 'text/html').end(`<iframe src="${page().origin}" width="600" height="600"></iframe>`);
      });
      await using visitor = await stage().reader();
      await open(visitor, {}, isFramed ? page().origin : page().origin.replace('localhost', '127.0.0.1'));
      if (isFramed) await visitor.page.goto(await listen(outer));
      const box = isFramed ? visitor.page.frameLocator('iframe').locator('vestibule-comments') : visitor.box;
      await textField(box).fill('kept');
      const window = await openSignIn({ ...visitor, box });
      if (!isFramed) await window.getByRole('link', { name: 'Continue to sign in' }).click();
      await allow(window);
      await answerInWindow(window);
      await box.getByText('your browser does not let this page use the sign-in').waitFor();
      await box.getByRole('link').first().waitFor();
      assert.equal(await textField(box).inputValue(), 'kept');
      await isOnlyHint(visitor, 'cookies-blocked', [`${stage().demo.url}/vestibule`]);
      await closeServer(outer);
    });
  }
});
