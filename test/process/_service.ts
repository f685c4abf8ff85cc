/** The emulated service with what a process before it needs to start. */

import { join } from 'node:path';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';

export const ORIGIN = 'http://www.example.test';
const PUBLIC_URL = `${ORIGIN}/vestibule`;
export const REDIRECT_URI = `${PUBLIC_URL}/sync/return`;

export interface ProcessWorld extends AsyncDisposable {
  readonly service: EmulatedService;
  /** Removed at the end. */
  readonly directory: string;
  /** A whole configuration, on any free port, with an SQLite store in the directory. */
  readonly env: Readonly<Record<string, string>>;
}

export async function startProcessWorld(): Promise<ProcessWorld> {
  const service = await startEmulatedService({ redirectUris: [REDIRECT_URI, REDIRECT_URI.replace('http:', 'https:')] });
  const directory = await temporaryDirectory();
  return {
    service,
    directory: directory.path,
    env: bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: `sqlite:${join(directory.path, 'store.db')}` }),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}
