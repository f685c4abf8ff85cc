/** The emulated service with what a process before it needs to start. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const service = await startEmulatedService({ redirectUris: [REDIRECT_URI] });
  const directory = await mkdtemp(join(tmpdir(), 'vestibule-process-'));
  return {
    service,
    directory,
    env: {
      VESTIBULE_SERVICE_URL: service.url,
      VESTIBULE_PUBLIC_KEY: service.publicKey,
      VESTIBULE_SECRET_KEY: service.secretKey,
      VESTIBULE_FORUMS: 'news',
      VESTIBULE_PUBLIC_URL: PUBLIC_URL,
      VESTIBULE_COOKIE_SECRETS: 'a cookie secret that is thirty-two bytes long or more',
      VESTIBULE_STORE: `sqlite:${join(directory, 'store.db')}`,
      PORT: '0',
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}
