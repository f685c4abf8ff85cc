/** What the documentation has a publisher put into a page, in a browser: markup, styles and policies. */

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { widgetDirectory } from '../../packages/bff/src/http/static-files.ts';
import { servePage, type PagePlan } from '../e2e/_policed-page.ts';
import { startStage, type Visitor } from '../e2e/_stage.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { codeBlocks, placeOf } from './_documents.ts';

/** The BFF's origin in the documentation. */
const DOCUMENTED = 'https://www.example.com';

const TAG = '<vestibule-comments forum="news"></vestibule-comments>';

describe('a page as the documentation has it', async () => {
  let plan: PagePlan;
  const page = suiteResource(() => servePage(() => plan));
  const stage = suiteResource(() => startStage({ allowedOrigins: [page().origin] }));

  const here = (code: string): string => code.replaceAll(DOCUMENTED, stage().demo.url);

  /** Opens the page; a reader can type there, and no policy was broken. */
  async function opened(next: PagePlan): Promise<Visitor> {
    plan = next;
    const visitor = await stage().reader();
    await visitor.page.goto(page().origin);
    await visitor.box.getByLabel('Your comment').fill('typed');
    assert.deepEqual(visitor.complaints, []);
    return visitor;
  }

  for (const block of await codeBlocks('html')) {
    it(`lets a reader type: ${placeOf(block)}`, async () => {
      const markup = await withRealHash(here(block.code));
      await using visitor = await opened({ policy: '', body: markup.includes(TAG) ? markup : markup + TAG });
      assert.equal(await visitor.page.locator('script').count(), 1);
    });
  }

  for (const block of await codeBlocks('csp')) {
    it(`needs no more than this of its policy: ${placeOf(block)}`, async () => {
      const added = here(block.code).replaceAll('\n', ' ').trim().replace(/;$/, '');
      const own = added.includes('script-src') ? '' : `script-src ${stage().demo.url}; connect-src ${stage().demo.url}; `;
      const script = `<script type="module" src="${stage().demo.url}/vestibule/widget.js"></script>`;
      await using _ = await opened({ policy: `default-src 'none'; ${own}${added}`, body: script + TAG });
    });
  }

  for (const block of await codeBlocks('css')) {
    it(`has styles that a browser accepts completely: ${placeOf(block)}`, async () => {
      await using visitor = await stage().reader();
      const { selectors, kept } = await visitor.page.evaluate((code) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(code);
        const rules = [...sheet.cssRules].filter((rule) => rule instanceof CSSStyleRule);
        return {
          selectors: rules.map(({ selectorText }) => selectorText),
          kept: rules.flatMap(({ style }) => Array.from(style)),
        };
      }, block.code);
      const declared = [...block.code.matchAll(/([\w-]+):\s[^;{}]+;/g)].map(([, name]) => name);
      assert.deepEqual(kept, declared);
      assert.equal(selectors.length, block.code.split('{').length - 1);
    });
  }
});

/** The documentation leaves version, hash and digest open. */
async function withRealHash(markup: string): Promise<string> {
  const directory = widgetDirectory();
  const [versioned = ''] = (await readdir(directory)).filter((name) => /^widget-.+\.js$/.test(name));
  const digests = JSON.parse(await readFile(join(directory, 'sri.json'), 'utf8')) as Record<string, string>;
  return markup.replace(/widget-[\w.]+-x{8}\.js/, versioned).replace('sha384-…', digests[versioned] ?? '');
}
