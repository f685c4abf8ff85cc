/** Counts of a test run, passed from the runner's process through a file. */

import { readFile, rm, writeFile } from 'node:fs/promises';

export interface Counts {
  readonly passed: number;
  /** Includes cancelled tests and files that could not be run. */
  readonly failed: number;
  /** Skipped, or marked as to do. */
  readonly skipped: number;
}

/** Environment variable with the path of the file. */
export const COUNTS_FILE_VARIABLE = 'VESTIBULE_TEST_COUNTS';

export async function writeCounts(counts: Counts): Promise<void> {
  const path = process.env[COUNTS_FILE_VARIABLE];
  if (path) await writeFile(path, JSON.stringify(counts));
}

/** Reads and removes the counts; `undefined` if the runner wrote none. */
export async function takeCounts(path: string): Promise<Counts | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Counts;
  } catch {
    return undefined;
  } finally {
    await rm(path, { force: true });
  }
}
