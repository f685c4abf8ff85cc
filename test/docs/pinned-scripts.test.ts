/** Pinned scripts, as `docs/security.md` describes them: an import map covers the chunks. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { widgetDirectory } from '../../packages/bff/src/http/static-files.ts';
import { servePage, type PagePlan } from '../e2e/_policed-page.ts';
import { startStage, turnTo, type Visitor } from '../e2e/_stage.ts';
import { suiteResource } from '../lib/suite-resource.ts';

const hashes = JSON.parse(await readFile(join(widgetDirectory(), 'sri.json'), 'utf8')) as Readonly<Record<string, string>>;
const WRONG = `sha384-${'A'.repeat(64)}`;

describe('an import map with the hashes of sri.json', () => {
  let plan: PagePlan;
  const page = suiteResource(() => servePage(() => plan));
  const stage = suiteResource(() => startStage({ allowedOrigins: [page().origin] }));

  /** @param hashOf the hash in the import map */
  async function opened(hashOf: (file: string, hash: string) => string): Promise<Visitor> {
    const bff = `${stage().demo.url}/vestibule/`;
    const [entry = ''] = Object.keys(hashes).filter((file) => /^widget-.+\.js$/.test(file));
    const chunks = Object.entries(hashes).filter(([file]) => file.startsWith('assets/'));
    const integrity = Object.fromEntries(chunks.map(([file, hash]) => [bff + file, hashOf(file, hash)]));
    plan = {
      policy: '',
      body: `<script type="importmap">${JSON.stringify({ integrity })}</script>
        <script type="module" crossorigin="anonymous" src="${bff}${entry}" integrity="${hashes[entry]}"></script>
        <vestibule-comments forum="news"></vestibule-comments>`,
    };
    const visitor = await stage().reader();
    await visitor.page.goto(page().origin);
    await turnTo(visitor.box);
    return visitor;
  }

  it('lets the chunks load', async () => {
    await using visitor = await opened((_, hash) => hash);
    await visitor.box.getByRole('button', { name: 'Sign in to post' }).waitFor();
    assert.deepEqual(visitor.complaints, []);
  });

  it('keeps a chunk with another content from being loaded', async () => {
    await using visitor = await opened((file, hash) => (file.includes('comments-controller') ? WRONG : hash));
    await visitor.box.getByText('Posting is not possible right now. Please try again.').waitFor();
    assert.ok(visitor.complaints.some((complaint) => complaint.includes('integrity')), visitor.complaints.join('\n'));
  });
});
