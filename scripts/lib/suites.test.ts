/** Each test file runs in one suite, and no failure counts as a pass. */

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { listFiles } from './content-stamp.ts';
import type { Counts } from './counts.ts';
import { GRACE_VARIABLE } from './end-test-file.ts';
import { artifactsDirectory, fromRoot } from './paths.ts';
import { findSuites, runSuite, type Suite, type SuiteResult } from './suites.ts';

describe('findSuites', () => {
  it('has each test file in one suite, but for the long runs', async () => {
    const files = (await findSuites()).flatMap((suite) => suite.files);
    const all = await listFiles(['{packages,scripts,test}/**/*.test.ts']);
    assert.deepEqual(files.toSorted(), all.filter((path) => !path.endsWith('.long.test.ts') && !path.includes('/dist/')).toSorted());
  });

  it('has tests in each file that shares a process, where node:test does not report a file without tests', async () => {
    const files = (await findSuites()).filter(({ concurrency }) => concurrency === 'shared process').flatMap((suite) => suite.files);
    const texts = await Promise.all(files.map((path) => readFile(fromRoot(path), 'utf8')));
    assert.deepEqual(files.filter((_, i) => !/^ *(?:it|describe|check[A-Z]\w*)\(/m.test(texts[i] as string)), []);
  });
});

describe('runSuite', () => {
  let directory: string;

  before(async () => {
    delete process.env['NODE_TEST_CONTEXT'];
    await mkdir(artifactsDirectory, { recursive: true });
    directory = await mkdtemp(join(tmpdir(), 'vestibule-suite-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  for (const concurrency of [1, 'shared process'] as const) {
    const title = concurrency === 1 ? 'a process for each file' : concurrency;
    it(`counts what passed, failed and was skipped: ${title}`, async () => {
      assert.deepEqual(
        await run(concurrency, "it('a', () => {}); it('b', () => {}); it('c', () => { throw new Error('no'); }); it('d', { skip: true }, () => {});"),
        { passed: 2, failed: 1, skipped: 1 },
      );
    });

    it(`names what failed: ${title}`, async () => {
      const tests = `
        import { describe } from 'node:test';
        describe('a', () => { it('b', () => {}); describe('c', () => { it('d', () => { throw new Error('no'); }); }); });
        it('e', () => { throw new Error('neither'); });`;
      const { failures } = await runFixture(concurrency, tests);
      assert.deepEqual(failures.map(({ titles, message }) => [...titles, message]), [['a', 'c', 'd', 'no'], ['e', 'neither']]);
    });

    it(`counts a file without a test as a failure: ${title}`, async () => {
      assert.deepEqual(await run(concurrency, ''), { passed: 0, failed: 1, skipped: 0 });
    });

    it(`counts a file that cannot be loaded as a failure: ${title}`, async () => {
      assert.deepEqual(await run(concurrency, "throw new Error('no');"), { passed: 0, failed: 1, skipped: 0 });
    });

    it(`counts a run that is killed for its length as a failure: ${title}`, async () => {
      assert.deepEqual(await run(concurrency, "it('hangs', () => new Promise(() => { setInterval(() => {}, 1e6); }));", 1500), {
        passed: 0, failed: 1, skipped: 0,
      });
    });
  }

  it('ends a file that keeps running after its tests, and names what keeps it', async () => {
    const { passed, failed, output } = await runFixture(1, "it('a', () => {}); setInterval(() => {}, 1e6);", 60_000, { [GRACE_VARIABLE]: '100' });
    assert.deepEqual({ passed, failed }, { passed: 1, failed: 1 });
    assert.match(output, /fixture\.test\.mjs runs after its tests: .*Timeout/);
  });

  async function run(concurrency: Suite['concurrency'], tests: string, timeoutMs?: number): Promise<Counts> {
    const { passed, failed, skipped } = await runFixture(concurrency, tests, timeoutMs);
    return { passed, failed, skipped };
  }

  async function runFixture(concurrency: Suite['concurrency'], tests: string, timeoutMs = 60_000, env = {}): Promise<SuiteResult> {
    const file = join(directory, 'fixture.test.mjs');
    await writeFile(file, `import { it } from 'node:test';\n${tests}\n`);
    const suite: Suite = { name: 'fixture', files: [file], runner: 'node', lane: 'alone', concurrency };
    return runSuite(suite, { env, timeoutMs, output: 'collect' });
  }
});
