/** The BFF is killed while readers post (contract, section 2: `POST /posts`): nothing is lost, nothing is posted twice. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { broken, figures, runCrashes } from './_crash-run.ts';

const KILLS = process.env['VESTIBULE_TEST_LONG'] === '1' ? 300 : 30;

async function sqliteFile(t: TestContext): Promise<string> {
  const directory = await temporaryDirectory();
  t.after(() => directory[Symbol.asyncDispose]());
  return `sqlite:${join(directory.path, 'store.db')}`;
}

describe('a BFF on SQLite that is killed again and again before an unsure service', () => {
  it('loses no session, doubles no post, and misses none that it acknowledged', { timeout: 1_100_000 }, async (t) => {
    const report = await runCrashes({ store: await sqliteFile(t), kills: KILLS });
    t.diagnostic(figures(report));
    assert.deepEqual(broken(report), {});
    assert.ok(report.acknowledged > 0 && report.unknown > 0 && report.acknowledged + report.unknown > KILLS, 'too little happened');
  });

  it('would double posts if it sent again what may have been carried out', async (t) => {
    const report = await runCrashes({ store: await sqliteFile(t), kills: 3, naive: true });
    t.diagnostic(figures(report));
    assert.deepEqual(Object.keys(broken(report)), ['duplicates']);
  });
});
