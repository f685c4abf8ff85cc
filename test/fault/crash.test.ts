/** Kills the BFF while readers post (contract, section 2: `POST /posts`): it loses no session or post and doubles none. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { isLong } from '../lib/long-run.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { broken, figures, runCrashes } from './_crash-run.ts';

const KILLS = isLong ? 300 : 10;

async function sqliteFile(t: TestContext): Promise<string> {
  const directory = await temporaryDirectory({ inMemory: true });
  t.after(() => directory[Symbol.asyncDispose]());
  return `sqlite:${join(directory.path, 'store.db')}`;
}

describe('a BFF on SQLite that is killed repeatedly, with a service that fails', () => {
  it('loses no session, doubles no post, and loses no acknowledged post', { timeout: 1_100_000 }, async (t) => {
    const report = await runCrashes({ store: await sqliteFile(t), kills: KILLS });
    t.diagnostic(figures(report));
    assert.deepEqual(broken(report), {});
    assert.ok(report.acknowledged > 0 && report.unknown > 0 && report.acknowledged + report.unknown > KILLS, 'too few posts');
  });

  it('would double posts without idempotency records', async (t) => {
    const report = await runCrashes({ store: await sqliteFile(t), kills: 3, naive: true });
    t.diagnostic(figures(report));
    assert.deepEqual(Object.keys(broken(report)), ['duplicates']);
  });
});
