/** A temporary directory, removed when it is disposed. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string;
}

export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'vestibule-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
