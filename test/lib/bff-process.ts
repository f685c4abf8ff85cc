/** A BFF process that browsers reach as `http://www.example.com/vestibule`. It listens on loopback. */

import { tmpdir } from 'node:os';
import type { EmulatedService } from '../service/index.ts';
import { ReaderClient } from './reader.ts';
import { VestibuleProcess, type ProcessOptions } from './vestibule-process.ts';

/** The public URL of the environment that `bffEnvironment` makes by default. */
export const PUBLIC_URL = 'http://www.example.com/vestibule';

export interface Running extends AsyncDisposable {
  readonly process: VestibuleProcess;
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** `{bff}` on loopback. */
  readonly url: string;
  /** A reader of its pages. */
  browser(service: EmulatedService): ReaderClient;
}

/** Starts `vestibule serve`; resolves when it listens. */
export async function startProcess(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  options: Pick<ProcessOptions, 'nodeArgs'> = {},
): Promise<Running> {
  const process = new VestibuleProcess({ args, env, cwd: tmpdir(), ...options });
  const origin = await process.origin();
  const publicUrl = new URL(env['VESTIBULE_PUBLIC_URL'] ?? '');
  const path = publicUrl.pathname.replace(/\/$/, '');
  return {
    process,
    origin,
    url: origin + path,
    browser: (service) => new ReaderClient({
      server: origin, path, service,
      origin: publicUrl.origin,
      redirectUri: env['VESTIBULE_REDIRECT_URI'] ?? `${publicUrl.href.replace(/\/$/, '')}/sync/return`,
    }),
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  };
}
