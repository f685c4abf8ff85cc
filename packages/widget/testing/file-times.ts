/** Reporter of the element tests: the number of tests and the seconds of each file. */

import type { TestRunnerConfig } from '@web/test-runner';
import { relative } from 'node:path';

type Reporter = NonNullable<TestRunnerConfig['reporters']>[number];
type TestSuite = NonNullable<Parameters<NonNullable<Reporter['reportTestFileResults']>>[0]['sessionsForTestFile'][number]['testResults']>;

export function fileTimes(): Reporter {
  // The first files start before the reporter does.
  const beganAt = performance.now();
  const startedAt = new Map<string, number>();
  return {
    start({ sessions }) {
      sessions.on('session-status-updated', ({ id, status }) => { if (status === 'INITIALIZING') startedAt.set(id, performance.now()); });
    },
    reportTestFileResults({ logger, sessionsForTestFile, testFile }) {
      for (const { id, testResults } of sessionsForTestFile) {
        const seconds = (performance.now() - (startedAt.get(id) ?? beganAt)) / 1_000;
        logger.log(`${relative('', testFile)}: ${testResults ? numberOf(testResults) : 'no'} tests, ${seconds.toFixed(1)} s`);
      }
    },
  };
}

function numberOf({ tests, suites }: TestSuite): number {
  return suites.reduce((sum, suite) => sum + numberOf(suite), tests.length);
}
