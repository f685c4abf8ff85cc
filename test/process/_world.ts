/** The emulated service with what a process before it needs to start. */

import { join } from 'node:path';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL } from '../lib/bff-process.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';

export type Environment = Readonly<Record<string, string>>;

export interface World extends AsyncDisposable {
  readonly service: EmulatedService;
  /** Removed at the end. */
  readonly directory: string;
  /** Path of a file in the directory. */
  path(name: string): string;
  /** A complete configuration, on any free port, with an SQLite store in the directory. */
  readonly env: Environment;
}

export async function startWorld(): Promise<World> {
  const redirectUri = `${PUBLIC_URL}/sync/return`;
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startEmulatedService({ redirectUris: [redirectUri, redirectUri.replace('http:', 'https:')] }));
  const { path: directory } = stack.use(await temporaryDirectory());
  const path = (name: string) => join(directory, name);
  const started = stack.move();
  return {
    service, directory, path,
    env: bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: `sqlite:${path('store.db')}` }),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}
