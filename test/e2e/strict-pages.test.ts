/** Pages of another origin with a strict Content-Security-Policy and a list of Trusted Types policies. The demonstration has a
 *  strict policy without a list: `complaints` of its readers contain the violations. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';
import { servePage, strictPolicy, type PagePlan } from './_policed-page.ts';
import { allow, answer, answerInWindow, isPosted, openSignIn, signInButton, startStage, write, type Visitor } from './_stage.ts';

const SRI = new URL('../../packages/bff/dist/widget/sri.json', import.meta.url);
const BOX = '<vestibule-comments forum="news"></vestibule-comments>';

describe('a page with a strict policy', () => {
  let plan: PagePlan;
  const page = suiteResource(() => servePage(() => plan));
  const stage = suiteResource(() => startStage({ allowedOrigins: [page().origin] }));
  const bff = (): string => `${stage().demo.url}/vestibule`;

  async function open({ page: tab }: Visitor, list: string, element = BOX, script = `src="${bff()}/widget.js"`, path = '/'): Promise<void> {
    plan = { policy: strictPolicy(stage().demo.url, list), body: `<script type="module" ${script}></script>${element}` };
    await tab.goto(page().origin + path);
  }

  async function signInAndPost(visitor: Visitor, message: string): Promise<void> {
    await write(visitor, message);
    const popup = await openSignIn(visitor);
    await allow(popup);
    await answer(popup, { rules: false });
    await popup.getByText('Please confirm this to continue.').first().waitFor();
    assert.equal(await popup.getByLabel(/Your age/).inputValue(), '34');
    await answerInWindow(popup);
    await isPosted(visitor, message);
    assert.equal(stage().demo.service.posts.at(-1)?.message, message);
  }

  it('that names Lit’s policy, and the script by its version and integrity, is violated by nothing from the first letter to the post', async () => {
    const sri = JSON.parse(await readFile(SRI, 'utf8')) as Record<string, string>;
    const [file = '', integrity] = Object.entries(sri).find(([name]) => name.startsWith('widget-'))!;
    await using visitor = await stage().reader();
    await open(visitor, 'trusted-types lit-html', BOX, `src="${bff()}/${file}" integrity="${integrity}" crossorigin="anonymous"`);
    await signInAndPost(visitor, 'by a hash');
    assert.deepEqual(visitor.complaints, []);
  });

  it('is returned to from a sign-in in the page itself, though the policy of the service\'s page allows redirects to the BFF only', async () => {
    await using visitor = await stage().reader();
    await open(visitor, 'trusted-types lit-html', '<vestibule-comments forum="news" sync="inline"></vestibule-comments>');
    await write(visitor, 'in the page');
    await signInButton(visitor).click();
    await visitor.page.waitForURL(/authorize/);
    await allow(visitor.page);
    await visitor.page.waitForURL(`${page().origin}/`);
    await visitor.box.getByRole('heading', { name: 'Before you comment' }).waitFor();
    assert.deepEqual(visitor.complaints, []);
  });

  it('that allows two copies of Lit is violated by nothing if it adds a query to the script', async () => {
    await using visitor = await stage().reader();
    await open(visitor, `trusted-types lit-html 'allow-duplicates'`, BOX, `src="${bff()}/widget.js?v=2"`);
    await signInAndPost(visitor, 'by two copies');
    assert.deepEqual(visitor.complaints, []);
  });

  it('whose list lacks Lit’s policy keeps the content of the element, and the event names the policy', async () => {
    await using visitor = await stage().reader();
    await visitor.page.addInitScript(() => {
      document.addEventListener('vestibule-error', (event) => {
        Object.assign(globalThis, { failure: (event as CustomEvent<{ problem: { detail: string } }>).detail.problem.detail });
      });
    });
    const link = `<a href="${bff()}/comments?forum=news">Write a comment</a>`;
    await open(visitor, 'trusted-types default', `<vestibule-comments forum="news">${link}</vestibule-comments>`);
    const detail = await until('an event', () => visitor.page.evaluate(() => (globalThis as { failure?: string }).failure));
    assert.match(detail, /lit-html/);
    await visitor.page.getByRole('link', { name: 'Write a comment' }).click();
    await signInAndPost(visitor, 'from the page of its own');
  });
});
