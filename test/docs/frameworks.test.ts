/** The snippets of `docs/frameworks.md` in a browser: applications as their bundler builds them, templates as their engines
 *  render them. */

import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';
import express from 'express';
import { build, type PluginOption } from 'vite';
import { launchChromium } from '../lib/chromium.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startDemo } from '../site/demo.ts';
import { codeBlocks, placeOf, root } from './_documents.ts';
import { renderers } from './_rendered-templates.ts';

const PAGE = 'docs/frameworks.md';
const ARTICLE = new URL('https://www.example.com/articles/lamplighter');

interface Framework {
  /** Language of the block, and the suffix of its file. */
  readonly language: string;
  /** Starts the component of the block. */
  readonly main: string;
  readonly plugins: () => PluginOption[];
}

const frameworks: readonly Framework[] = [
  {
    language: 'tsx',
    main: `import { createElement } from 'react';
      import { createRoot } from 'react-dom/client';
      import { Comments } from './Comments.tsx';
      createRoot(document.body.firstElementChild).render(createElement(Comments, { article: '${ARTICLE.href}' }));`,
    plugins: () => [],
  },
  {
    language: 'vue',
    main: `import { createApp } from 'vue';
      import Comments from './Comments.vue';
      createApp(Comments, { article: '${ARTICLE.href}' }).mount(document.body.firstElementChild);`,
    plugins: () => [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('vestibule-') } } })],
  },
  {
    language: 'svelte',
    main: `import { mount } from 'svelte';
      import Comments from './Comments.svelte';
      mount(Comments, { target: document.body.firstElementChild, props: { article: '${ARTICLE.href}' } });`,
    plugins: () => [svelte({ configFile: false })],
  },
];

interface OpenedPage extends AsyncDisposable {
  /** Type and text of the lines in the console. */
  readonly logged: readonly string[];
  /** Fires the event of a post. */
  announcePost(): Promise<void>;
}

describe('a snippet for a framework or a template', async () => {
  const directory = suiteResource(temporaryDirectory);
  const pages = express.Router().get('/favicon.ico', (_req, res) => { res.status(204).end(); });
  const demo = suiteResource(() => startDemo({ port: 0, vestibule: { rateLimits: 'off', logLevel: 'silent' }, before: pages }));
  const browser = suiteResource(launchChromium);

  /** Opens a page in which a reader can type; its box belongs to the article. */
  async function opened(path: string): Promise<OpenedPage> {
    const context = await browser().newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    const logged: string[] = [];
    page.on('console', (message) => { logged.push(`${message.type()} ${message.text()}`); });
    page.on('pageerror', ({ message }) => { logged.push(`error ${message}`); });
    await page.goto(demo().url + path);
    const box = page.locator('vestibule-comments');
    await box.getByLabel('Your comment').fill('typed');
    assert.equal(await box.evaluate((element) => (element as unknown as { page: string }).page), ARTICLE.href);
    return {
      logged,
      announcePost: () => box.evaluate((element) => {
        element.dispatchEvent(new CustomEvent('vestibule-posted', { detail: { post: 'the post' }, bubbles: true, composed: true }));
      }),
      [Symbol.asyncDispose]: () => context.close(),
    };
  }

  for (const { language, main, plugins } of frameworks) {
    const [block, ...more] = (await codeBlocks(language)).filter(({ document }) => document === PAGE);
    it(`lets a reader type, and handles an event: ${language}`, async () => {
      assert.ok(block && more.length === 0);
      const home = join(directory().path, language);
      await mkdir(home);
      await symlink(join(root, 'node_modules'), join(home, 'node_modules'));
      await writeFile(join(home, `Comments.${language}`), block.code);
      await writeFile(join(home, 'main.js'), main);
      await writeFile(join(home, 'index.html'), '<!doctype html><title>An article</title><body><div></div><script type="module" src="/main.js"></script>');
      const { NODE_ENV } = process.env;
      await build({
        root: home, base: `/${language}/`, configFile: false, logLevel: 'error', plugins: plugins(),
        build: { minify: false, reportCompressedSize: false },
      });
      // Vite sets it for this process.
      if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
      pages.use(`/${language}`, express.static(join(home, 'dist')));
      await using page = await opened(`/${language}/`);
      assert.deepEqual(page.logged, []);
      await page.announcePost();
      assert.deepEqual(page.logged, ['log the post']);
    });
  }

  for (const [language, render] of Object.entries(renderers)) {
    for (const block of await codeBlocks(language)) {
      it(`renders to a page in which a reader can type: ${placeOf(block)}`, async () => {
        const html = await render(block.code.replaceAll(ARTICLE.origin, demo().url), ARTICLE);
        pages.get(`/${language}`, (_req, res) => { res.send(`<!doctype html><title>An article</title><body>${html}</body>`); });
        await using page = await opened(`/${language}`);
        assert.deepEqual(page.logged, []);
      });
    }
  }
});
