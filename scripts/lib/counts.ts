/** What a test runner says it did, handed from its process to ours through a file. */

import { readFile, rm, writeFile } from 'node:fs/promises';

export interface Counts {
  readonly passed: number;
  /** Cancelled ones and files that could not be run included. */
  readonly failed: number;
  /** Left out by the tests themselves: skipped or marked as still to do. */
  readonly skipped: number;
}

/** The variable that names the file to the runner's process. */
export const COUNTS_FILE_VARIABLE = 'VESTIBULE_TEST_COUNTS';

export async function writeCounts(counts: Counts): Promise<void> {
  const path = process.env[COUNTS_FILE_VARIABLE];
  if (path) await writeFile(path, JSON.stringify(counts));
}

/** Reads and removes the counts. `undefined` where the runner ended before it wrote any. */
export async function takeCounts(path: string): Promise<Counts | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Counts;
  } catch {
    return undefined;
  } finally {
    await rm(path, { force: true });
  }
}
