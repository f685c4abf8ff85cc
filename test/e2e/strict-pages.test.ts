/** Pages with a strict Content-Security-Policy: the widget does all that it does elsewhere and breaks no rule; where the
 *  page's own Trusted Types list leaves it no way to draw, words and a link stand in its place. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { widgetDirectory } from '../../packages/bff/src/http/static-files.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { servePage, strictPolicy, type PagePlan } from './_policed-page.ts';
import { allow, answer, ARTICLE, answerInWindow, finishInPage, openSignIn, post, startStage, write, type Visitor } from './_stage.ts';

const FALLBACK = 'The comment box could not be loaded here.';

/** What broke a rule in this context's pages from now on, popups included. */
async function watchViolations({ context }: Visitor): Promise<readonly string[]> {
  const violations: string[] = [];
  await context.exposeFunction('reportViolation', (words: string) => void violations.push(words));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample, documentURI }) => {
      const report = (globalThis as unknown as { reportViolation: (words: string) => void }).reportViolation;
      report(`${effectiveDirective} ${blockedURI} ${sample} at ${new URL(documentURI).pathname}`);
    });
  });
  return violations;
}

describe('a page under a strict policy', () => {
  let plan: PagePlan;
  const page = suiteResource(() => servePage(() => plan));
  const stage = suiteResource(() => startStage({ allowedOrigins: [page().origin] }));

  const bff = (): string => `${stage().demo.url}/vestibule`;
  const widget = (file = 'widget.js', attributes = ''): string => (
    `<script type="module" src="${bff()}/${file}"${attributes}></script>`
  );
  const box = '<vestibule-comments forum="news"></vestibule-comments>';
  const planWith = (body: string, ...more: readonly string[]): PagePlan => (
    { policy: strictPolicy(stage().demo.url, ...more), body }
  );

  async function open(visitor: Visitor, path = '/'): Promise<void> {
    await visitor.page.goto(page().origin + path);
  }

  async function signInAndPost(visitor: Visitor, message: string): Promise<void> {
    await write(visitor, message);
    const popup = await openSignIn(visitor);
    await allow(popup);
    await answer(popup, { rules: false });
    await popup.getByText('Please tick this to continue.').first().waitFor();
    await answerInWindow(popup);
    await visitor.box.getByText(/Commenting as/).waitFor();
    await post(visitor);
    await visitor.box.getByText('Your comment is posted.').waitFor();
    assert.equal(stage().demo.service.posts.at(-1)?.message, message);
  }

  it('sees no violation of it from the first letter to the post, the form’s window included', async () => {
    await using visitor = await stage().reader();
    const violations = await watchViolations(visitor);
    await visitor.open();
    await signInAndPost(visitor, 'within the rules');
    await visitor.box.getByRole('button', { name: 'Sign out' }).click();
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
    assert.deepEqual([violations, visitor.complaints], [[], []]);
  });

  it('sees no violation where the form stands in the page', async () => {
    await using visitor = await stage().reader();
    const violations = await watchViolations(visitor);
    await visitor.open(`${ARTICLE}?sync=inline`);
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).click();
    await finishInPage(visitor);
    assert.deepEqual([violations, visitor.complaints], [[], []]);
  });

  for (const [title, ...more] of [
    ['that allows every Trusted Types policy'],
    ['whose list names Lit’s', 'trusted-types lit-html'],
    ['whose list names Lit’s among others', `trusted-types default lit-html 'allow-duplicates'`],
  ]) {
    it(`on another origin ${title} sees none either`, async () => {
      plan = planWith(widget() + box, ...more);
      await using visitor = await stage().reader();
      const violations = await watchViolations(visitor);
      await open(visitor);
      await signInAndPost(visitor, `on another origin ${title}`);
      assert.deepEqual([violations, visitor.complaints], [[], []]);
    });
  }

  it('takes the script by its lasting address and its integrity hash', async () => {
    const sri = JSON.parse(await readFile(join(widgetDirectory(), 'sri.json'), 'utf8')) as Record<string, string>;
    const [file, integrity] = Object.entries(sri).find(([name]) => /^widget-.+\.js$/.test(name))!;
    plan = planWith(widget(file, ` integrity="${integrity}" crossorigin="anonymous"`) + box, 'trusted-types lit-html');
    await using visitor = await stage().reader();
    const violations = await watchViolations(visitor);
    await open(visitor);
    await signInAndPost(visitor, 'by a hash');
    assert.deepEqual([violations, visitor.complaints], [[], []]);
  });

  it('shows a fallback link if `trusted-types` lacks `lit-html`', async () => {
    plan = planWith(widget() + box, 'trusted-types default');
    await using visitor = await stage().reader();
    await open(visitor);
    await visitor.box.getByText(FALLBACK).waitFor();
    await visitor.box.getByRole('link').click();
    await visitor.page.waitForURL(`${bff()}/comments?forum=news`);
    const violations = await watchViolations(visitor);
    await visitor.page.reload();
    await signInAndPost(visitor, 'from the page of its own');
    assert.deepEqual(violations, []);
  });

  it('has the link where another copy of Lit has taken the policy’s name', async () => {
    const other = `trustedTypes.createPolicy('lit-html', { createHTML: (text) => text })`;
    plan = { ...planWith(`<script src="/other.js"></script>${widget()}${box}`, 'trusted-types lit-html'), scripts: { '/other.js': other } };
    await using visitor = await stage().reader();
    const violations = await watchViolations(visitor);
    await open(visitor);
    await visitor.box.getByText(FALLBACK).waitFor();
    assert.match(violations[0] ?? '', /^trusted-types trusted-types-policy lit-html/);
  });

  it('shows the box if another copy of Lit uses the policy’s name', async () => {
    const other = `trustedTypes.createPolicy('lit-html', { createHTML: (text) => text })`;
    const list = `trusted-types lit-html 'allow-duplicates'`;
    plan = { ...planWith(`<script src="/other.js"></script>${widget()}${box}`, list), scripts: { '/other.js': other } };
    await using visitor = await stage().reader();
    await open(visitor);
    await visitor.box.getByLabel('Your comment').fill(list);
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
  });

  it('that shuts Lit out leads a return on to the BFF’s page, out of its own address', async () => {
    plan = planWith(`${widget()}<vestibule-sync></vestibule-sync>`, 'trusted-types default');
    await using visitor = await stage().reader();
    const query = new URLSearchParams({
      code: 'c0de', username: 'Ada', user_id: '1', audiencesync_uri: `${stage().demo.service.url}/audiencesync/complete/`,
    });
    await open(visitor, `/validate?${query}&page=2`);
    const link = visitor.page.locator('vestibule-sync').getByRole('link');
    await link.waitFor();
    assert.equal(visitor.page.url(), `${page().origin}/validate?page=2`);
    await link.click();
    await visitor.page.getByRole('button', { name: 'Continue as Ada' }).waitFor();
  });

  describe('and a script that is slow to come', () => {
    const query = new URLSearchParams({ code: 'c0de', username: 'Ada', user_id: '1', audiencesync_uri: 'https://service.example/audiencesync/complete/' });
    let letGo: (() => void) | undefined;
    afterEach(() => letGo?.());

    it('keeps no parameter of a return in the address while the form’s script is on its way, and hands them to the form', async () => {
      plan = planWith(`${widget()}<vestibule-sync></vestibule-sync>`);
      await using visitor = await stage().reader();
      const held = Promise.withResolvers<void>();
      letGo = held.resolve;
      await visitor.page.route(/\/assets\/vestibule-sync-/, async (route) => {
        await held.promise;
        await route.continue();
      });
      const asked = visitor.page.waitForRequest(/\/assets\/vestibule-sync-/);
      await open(visitor, `/validate?${query}`);
      await asked;
      assert.equal(visitor.page.url(), `${page().origin}/validate`);
      held.resolve();
      await visitor.page.getByRole('button', { name: 'Continue as Ada' }).waitFor();
    });
  });
});
