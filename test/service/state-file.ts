/** Posts and access tokens of the service in a JSON file, so that they survive a restart. */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { StoredPost } from './context.ts';
import type { Token } from './grants.ts';

export interface ServiceState {
  readonly posts: readonly StoredPost[];
  readonly tokens: readonly Token[];
}

/** `undefined` if there is no such file. */
export function readState(path: string): ServiceState | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ServiceState;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A crash leaves the earlier file or the new one. */
export function writeState(path: string, state: ServiceState): void {
  writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
