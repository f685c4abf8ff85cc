/**
 * Test runner of StrykerJS for the tests of the elements, by @web/test-runner with the widget's configuration. One server and one
 * Chromium serve all mutants. Each run loads the page of a test file with the mutant active and runs the tests that cover it; the
 * first failure ends the run.
 *
 * The page has StrykerJS's record in `__stryker__`, and in `__coverage__`, which the launcher returns with the results.
 * The id of a test is its file and its title, separated by `#`.
 */

import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { extname } from 'node:path';
import process from 'node:process';
import type { InstrumenterContext } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached, DryRunStatus, MutantRunStatus, TestStatus, toMutantRunResult,
  type DryRunResult, type FailedTestResult, type MutantRunOptions, type MutantRunResult, type SuccessTestResult, type TestRunner,
} from '@stryker-mutator/api/test-runner';
import {
  startTestRunner, TestRunner as WebTestRunner, type TestRunnerConfig, type TestSession, type TestSuiteResult,
} from '@web/test-runner';
import config, { testPage } from '../../packages/widget/web-test-runner.config.ts';
import { fromRoot, shortPath } from './paths.ts';

type TestResult = SuccessTestResult | FailedTestResult;

interface Run {
  readonly tests: readonly TestResult[];
  /** Of the page, outside its tests. */
  readonly errors: TestSession['errors'];
  readonly record: InstrumenterContext;
}

class ElementTestRunner implements TestRunner {
  #runner!: WebTestRunner;
  /** Of the page that is loaded next. */
  #record: InstrumenterContext = {};
  readonly #mocha: { timeout: number; bail?: boolean; grep?: string } = { timeout: 10_000 };

  capabilities(): { reloadEnvironment: boolean } {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    const files = process.env['MUTANT_TESTS']!.split(' ');
    const port = await freePort();
    // `startTestRunner` completes the configuration; `manual` starts no browser.
    const options = { readCliArgs: false, readFileConfig: false, autoExitProcess: false };
    const prepared = await startTestRunner({ config: { ...config, files, port, manual: true, reporters: [] }, ...options });
    await prepared!.stop();
    this.#runner = new WebTestRunner({
      ...prepared!.config,
      manual: false,
      // The browser stays open after a run.
      watch: true,
      browserLogs: false,
      testFramework: { ...prepared!.config.testFramework!, config: this.#mocha },
      testRunnerHtml: (script) => this.#page(script),
      plugins: [...prepared!.config.plugins!, testIds],
      middleware: [...prepared!.config.middleware!, async ({ path, response }, next) => {
        await next();
        if (extname(path)) response.set('Cache-Control', 'max-age=31536000');
      }],
    });
    // Nothing runs at the start.
    for (const session of this.#runner.sessions.all()) this.#runner.sessions.updateStatus(session, 'FINISHED');
    this.#runner.focusedTestFile = 'none';
    await this.#runner.start();
  }

  async dryRun(): Promise<DryRunResult> {
    const tests: TestResult[] = [];
    const perTest: Record<string, Record<string, number>> = {};
    for (const file of this.#runner.testFiles) {
      const { tests: own, errors: [error], record: { mutantCoverage } } = await this.#run(file, {});
      if (error) return { status: DryRunStatus.Error, errorMessage: `${file}: ${error.message}` };
      tests.push(...own);
      // A mutant that runs while the page loads concerns all of its tests.
      for (const { id } of own) perTest[id] = { ...mutantCoverage?.static, ...mutantCoverage?.perTest[id] };
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage: { static: {}, perTest } };
  }

  async mutantRun({ activeMutant, hitLimit, testFilter = [] }: MutantRunOptions): Promise<MutantRunResult> {
    for (const [file, ids] of Map.groupBy(testFilter, (id) => id.slice(0, id.indexOf('#')))) {
      const titles = ids.map((id) => RegExp.escape(id.slice(file.length + 1)));
      Object.assign(this.#mocha, { timeout: 5_000, bail: true, grep: `^(?:${titles.join('|')})$` });
      const hits = hitLimit === undefined ? {} : { hitCount: 0, hitLimit };
      const { tests, errors: [error], record } = await this.#run(fromRoot(file), { activeMutant: activeMutant.id, ...hits });
      const timeout = determineHitLimitReached(record.hitCount, hitLimit);
      if (timeout) return toMutantRunResult(timeout);
      const passed = tests.filter(({ status }) => status === TestStatus.Success).map(({ id }) => id);
      const killer = ids.find((id) => !passed.includes(id)) ?? (error && ids[0]);
      if (killer === undefined) continue;
      const failure = tests.find(({ id }) => id === killer);
      const failureMessage = (failure?.status === TestStatus.Failed && failure.failureMessage) || error?.message || 'not run';
      return { status: MutantRunStatus.Killed, killedBy: [killer], failureMessage, nrOfTests: passed.length + 1 };
    }
    return { status: MutantRunStatus.Survived, nrOfTests: testFilter.length };
  }

  async dispose(): Promise<void> {
    await this.#runner.stop();
  }

  async #run(file: string, record: InstrumenterContext): Promise<Run> {
    const runner = this.#runner;
    this.#record = record;
    runner.focusedTestFile = file;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    runner.on('test-run-finished', resolve);
    await runner.runTests(runner.sessions.all());
    await promise;
    runner.off('test-run-finished', resolve);
    const [{ testResults, errors, testCoverage = {} }] = [...runner.sessions.forTestFile(file)] as [TestSession];
    const tests = testResults ? testsOf(testResults, `${shortPath(file)}#`) : [];
    return { tests, errors, record: testCoverage as InstrumenterContext };
  }

  #page(script: string): string {
    return `${testPage(script)}<script>globalThis.__coverage__ = globalThis.__stryker__ = ${JSON.stringify(this.#record)}</script>`;
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'elements', ElementTestRunner)];

const testIds: NonNullable<TestRunnerConfig['plugins']>[number] = {
  name: 'test-ids',
  transform({ path, body }) {
    // Each run has another page.
    if (path === '/') return { transformCache: false };
    if (!path.endsWith('.test.ts')) return undefined;
    return `${String(body)}\nbeforeEach(function () { __stryker__.currentTestId = '${path.slice(1)}#' + this.currentTest.fullTitle(); });`;
  },
};

function testsOf({ suites, tests }: TestSuiteResult, prefix: string): TestResult[] {
  const own = tests.map(({ name, passed, duration = 0, error }): TestResult => {
    const test = { id: prefix + name, name: prefix + name, timeSpentMs: duration };
    return passed ? { ...test, status: TestStatus.Success } : { ...test, status: TestStatus.Failed, failureMessage: error?.message ?? '' };
  });
  return [...own, ...suites.flatMap((suite) => testsOf(suite, `${prefix}${suite.name} `))];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
