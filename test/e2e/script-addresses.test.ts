/** Addresses of the widget's script: a query, the pinned name, several copies and several releases on one page. A chunk that
 *  imported the script by another address would evaluate a second copy of the first stage. */

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { builtWidget, readAssets, readWidgetFile } from '../bench/_widget-files.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { servePage, strictPolicy, type PolicedPage } from './_policed-page.ts';
import { openSignIn, startStage, turnTo, type Visitor } from './_stage.ts';

const pinned = (await readdir(builtWidget)).find((name) => /^widget-.+\.js$/.test(name))!;
const otherRelease = await buildOtherRelease();

describe('the script tag', () => {
  let body = '';
  const page: () => PolicedPage = suiteResource(() => servePage(() => (
    { policy: strictPolicy(stage().demo.url), body, scripts: otherRelease }
  )));
  const stage = suiteResource(() => startStage({ allowedOrigins: [page().origin] }));
  const bff = (): string => `${stage().demo.url}/vestibule`;
  const tag = (address: string): string => `<script type="module" src="${address}"></script>`;

  /** Opens the page; paths of the scripts that it requests. */
  async function open(visitor: Visitor, elements: string, ...addresses: readonly string[]): Promise<readonly string[]> {
    body = addresses.map(tag).join('') + elements;
    const scripts: string[] = [];
    visitor.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (request.resourceType() === 'script') scripts.push(pathname + search);
    });
    await visitor.page.goto(page().origin);
    return scripts;
  }

  for (const [title, files] of [
    ['with a query', ['widget.js?v=3']],
    ['with the pinned name', [pinned]],
    ['in two copies', ['widget.js', 'widget.js?v=3']],
    ['in two copies, one of them pinned', [pinned, 'widget.js']],
  ] as const) {
    it(`${title} loads the first stage by these addresses only, up to the window of a sign-in`, async () => {
      await using visitor = await stage().reader();
      const scripts = await open(visitor, '<vestibule-comments forum="news"></vestibule-comments>', ...files.map((file) => `${bff()}/${file}`));
      await turnTo(visitor.box);
      const popup = await openSignIn(visitor);
      await popup.getByText('Ada Quill').waitFor();
      assert.deepEqual(scripts.filter((path) => !path.includes('/assets/')), files.map((file) => `/vestibule/${file}`));
      assert.deepEqual(visitor.complaints, []);
    });
  }

  for (const [title, order] of [
    ['an older', (scripts: readonly string[]) => scripts],
    ['a newer', (scripts: readonly string[]) => scripts.toReversed()],
  ] as const) {
    it(`beside ${title} release runs the chunks of each with its own first stage`, async () => {
      await using visitor = await stage().reader();
      const elements = `<vestibule-comments forum="news" bff="${bff()}"></vestibule-comments><vestibule-sync bff="${bff()}"></vestibule-sync>`;
      // Both releases request the form before either defines it. Otherwise the later one does not load its own.
      const { promise: haveBothAsked, resolve } = Promise.withResolvers<void>();
      const folders = new Set<string>();
      await visitor.page.route(/\/assets\/vestibule-sync-/, async (route) => {
        if (folders.add(new URL('.', route.request().url()).pathname).size === 2) resolve();
        await haveBothAsked;
        await route.continue();
      });
      await open(visitor, elements, ...order([`${page().origin}/widget.js`, `${bff()}/widget.js`]));
      await turnTo(visitor.box);
      await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
      await visitor.page.locator('vestibule-sync').getByRole('heading').waitFor();
      assert.deepEqual([...folders].toSorted(), ['/assets/', '/vestibule/assets/']);
      assert.deepEqual(visitor.complaints, []);
    });
  }
});

/** The built widget as a release whose first stage shares a class by another name, by path. */
async function buildOtherRelease(): Promise<Readonly<Record<string, string>>> {
  const files = [await readWidgetFile('widget.js'), ...(await readAssets()).values()];
  return Object.fromEntries(files.map(({ path, code }) => [`/${path}`, code
    .replace(/vestibule-[\da-f]{8}/, 'vestibule-00000000')
    .replace(/\bLitElement:/g, 'OtherElement:')]));
}
