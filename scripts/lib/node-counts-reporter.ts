/**
 * Reporter of node:test that writes the counts of the run, its failures and the duration of each file. A file without tests
 * counts as failed; node:test counts it as passed.
 */

import type { TestEvent } from 'node:test/reporters';
import { resolve } from 'node:path';
import { writeReport, type Failure } from './counts.ts';

export default async function* countsReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const emptyFiles: string[] = [];
  const failures: Failure[] = [];
  /** Titles of the test that started last and the suites around it: node:test reports starts in the order of the file. */
  const titles: string[] = [];
  /** By file. node:test reports no duration of files that share a process: the sum of their tests stands for it. */
  const milliseconds = new Map<string, number>();
  for await (const event of events) {
    if (event.type === 'test:start') titles.splice(event.data.nesting, Infinity, event.data.name);
    if (event.type === 'test:fail' && !isOfSubtest(event.data.details.error)) {
      const { file = '', name, nesting, details: { error } } = event.data;
      failures.push({ file, titles: [...titles.slice(0, nesting), name], message: messageOf(error) });
    }
    if (event.type === 'test:pass' && event.data.nesting === 0 && event.data.file === resolve(event.data.name)) {
      emptyFiles.push(event.data.name);
    }
    if ((event.type === 'test:pass' || event.type === 'test:fail') && event.data.nesting === 0 && event.data.file !== undefined) {
      milliseconds.set(event.data.file, (milliseconds.get(event.data.file) ?? 0) + event.data.details.duration_ms);
    }
    if (event.type === 'test:summary' && event.data.file !== undefined) {
      milliseconds.set(event.data.file, event.data.duration_ms);
    }
    if (event.type === 'test:summary' && event.data.file === undefined) {
      const { tests, passed, skipped, todo } = event.data.counts;
      const leftOut = skipped + todo;
      await writeReport({
        passed: passed - emptyFiles.length,
        failed: tests - passed - leftOut + emptyFiles.length,
        skipped: leftOut,
        files: [...milliseconds].map(([file, ms]) => ({ file, seconds: ms / 1000 })),
        failures: [...failures, ...emptyFiles.map((file) => ({ file, titles: [], message: 'no test' }))],
      });
    }
  }
  for (const file of emptyFiles) yield `no test in ${file}\n`;
}

/** Whether node:test reports a suite as failed because a test in it failed. */
function isOfSubtest(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed';
}

function messageOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
