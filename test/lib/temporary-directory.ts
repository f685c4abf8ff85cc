/** A temporary directory, removed when it is disposed. */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string;
}

/** A file system in memory, if there is one: other work on the disk cannot delay a test, nor a test wait for it. A killed process
 *  leaves its files there, as on a disk. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** @param options `inMemory`: default `true`; `false` for what is large */
export async function temporaryDirectory({ inMemory = true } = {}): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(inMemory ? MEMORY : tmpdir(), 'vestibule-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
