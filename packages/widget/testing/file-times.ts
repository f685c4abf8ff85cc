/** Reporter of the element tests: the number of tests and the seconds of each file. Names one that hangs before the runner does,
 *  which waits for the limit twice where a page never yields. */

import type { TestRunnerConfig } from '@web/test-runner';
import { relative } from 'node:path';

type Reporter = NonNullable<TestRunnerConfig['reporters']>[number];
type TestSession = Parameters<NonNullable<Reporter['reportTestFileResults']>>[0]['sessionsForTestFile'][number];
type TestSuite = NonNullable<TestSession['testResults']>;

const LONG_MS = 120_000;

export function fileTimes(): Reporter {
  const started = new Map<string, { readonly at: number; readonly timer: NodeJS.Timeout }>();
  return {
    start({ sessions, config }) {
      const follow = ({ id, status, testFile }: Pick<TestSession, 'id' | 'status' | 'testFile'>): void => {
        if (status === 'SCHEDULED' || started.has(id)) return;
        const timer = setTimeout(() => { config.logger.log(`${relative('', testFile)}: still runs after ${LONG_MS / 1_000} s`); }, LONG_MS);
        started.set(id, { at: performance.now(), timer });
      };
      // The first files start before the reporter does.
      for (const session of sessions.all()) follow(session);
      sessions.on('session-status-updated', follow);
    },
    reportTestFileResults({ logger, sessionsForTestFile, testFile }) {
      for (const { id, testResults } of sessionsForTestFile) {
        const { at, timer } = started.get(id)!;
        clearTimeout(timer);
        const seconds = (performance.now() - at) / 1_000;
        logger.log(`${relative('', testFile)}: ${testResults ? numberOf(testResults) : 'no'} tests, ${seconds.toFixed(1)} s`);
      }
    },
  };
}

function numberOf({ tests, suites }: TestSuite): number {
  return suites.reduce((sum, suite) => sum + numberOf(suite), tests.length);
}
