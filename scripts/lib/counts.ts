/** Counts, durations and failures of a test run, passed from the runner's process through a file. */

import { readFile, rm, writeFile } from 'node:fs/promises';

export interface Counts {
  readonly passed: number;
  /** Includes cancelled tests and files that could not be run. */
  readonly failed: number;
  /** Skipped, or marked as to do. */
  readonly skipped: number;
}

export interface FileDuration {
  readonly file: string;
  readonly seconds: number;
}

export interface RunReport extends Counts {
  readonly files: readonly FileDuration[];
  readonly failures: readonly Failure[];
}

/** A failed test, or a file that fails outside its tests. */
export interface Failure {
  readonly file: string;
  /** The titles of the test and the suites around it, outermost first; empty for a file. */
  readonly titles: readonly string[];
  readonly message: string;
}

/** Environment variable with the path of the file. */
export const COUNTS_FILE_VARIABLE = 'VESTIBULE_TEST_COUNTS';

export async function writeReport(report: RunReport): Promise<void> {
  const path = process.env[COUNTS_FILE_VARIABLE];
  if (path) await writeFile(path, JSON.stringify(report));
}

/** Reads and removes the report; `undefined` if the runner wrote none. */
export async function takeReport(path: string): Promise<RunReport | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as RunReport;
  } catch {
    return undefined;
  } finally {
    await rm(path, { force: true });
  }
}
