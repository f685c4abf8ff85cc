/** The BFF before the emulated service, a process of its own that can be asked how much it holds. */

import { Agent } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import { LoadReader } from '../load/_reader.ts';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';

const ORIGIN = 'http://www.example.test';

/** A full collection, then what is left. */
export interface Census {
  readonly heapBytes: number;
  /** Connections of either side. */
  readonly sockets: number;
}

export interface LongBff extends AsyncDisposable {
  readonly service: EmulatedService;
  readonly port: number;
  readonly readers: readonly LoadReader[];
  census(): Promise<Census>;
  /** Ends the readers' connections. */
  hangUp(): void;
}

export async function startLongBff(readers: number, settings: Readonly<Record<string, string>> = {}): Promise<LongBff> {
  await using stack = new AsyncDisposableStack();
  const redirectUri = `${ORIGIN}/vestibule/sync/return`;
  const people = Array.from({ length: readers }, (_, i) => ({ user_id: String(i + 1), username: `Reader ${i + 1}` }));
  const service = stack.use(await startEmulatedService({ redirectUris: [redirectUri], readers: people, recordRequests: false }));
  const directory = stack.use(await temporaryDirectory());
  const bff = stack.use(new VestibuleProcess({
    cwd: directory.path,
    nodeArgs: ['--expose-gc', '--import', pathToFileURL(join(import.meta.dirname, '_census.ts')).href],
    env: bffEnvironment(service, `${ORIGIN}/vestibule`, { VESTIBULE_RATE_LIMITS: 'off', ...settings }),
  }));
  const origin = await bff.origin();
  const agent = new Agent({ keepAlive: true });
  const site = { url: `${origin}/vestibule`, origin: ORIGIN, redirectUri, agent };
  const signedIn = people.map(() => new LoadReader(site));
  for (const [i, reader] of signedIn.entries()) await reader.signIn(service, people[i] as (typeof people)[number]);
  let asked = 0;
  const disposal = stack.move();
  return {
    service,
    port: Number(new URL(origin).port),
    readers: signedIn,
    async census() {
      asked += 1;
      bff.child.kill('SIGUSR2');
      return await bff.logged(`census ${asked}`) as unknown as Census;
    },
    hangUp: () => { agent.destroy(); },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await bff.kill('SIGTERM');
      await disposal.disposeAsync();
    },
  };
}
