/** A temporary directory, removed when it is disposed. */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string;
}

/** For tests of killed processes: other work on a shared disk does not decide. A killed process leaves the same files there. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** @param options `inMemory`: on a file system in memory, if there is one */
export async function temporaryDirectory({ inMemory = false } = {}): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(inMemory ? MEMORY : tmpdir(), 'vestibule-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
