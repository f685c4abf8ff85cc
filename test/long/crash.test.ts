/** The published command is killed at operation n of its store, for every n of a sign-in, of a post and of a sign-out, and
 *  started again on the same store (contract, section 3). */

import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess, type Running } from '../lib/bff-process.ts';
import { describeFaults, FaultRun, flows } from '../lib/fault-run.ts';
import { freePort } from '../lib/free-port.ts';
import { ReaderClient } from '../lib/reader.ts';
import { startRedis } from '../lib/redis-server.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import type { VestibuleProcess } from '../lib/vestibule-process.ts';
import { startEmulatedService } from '../service/index.ts';
import { startCountingProxy } from './_kill-redis.ts';

interface Weapon {
  /** Settings of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
  /** Plans the kill; `n` 0: none. */
  arm(victim: VestibuleProcess, n: number, applied: boolean): Promise<void>;
}

const weapons: Readonly<Record<string, (stack: AsyncDisposableStack) => Promise<Weapon>>> = {
  async SQLite(stack) {
    const { path } = stack.use(await temporaryDirectory({ inMemory: true }));
    const plan = join(path, 'plan.json');
    return {
      env: { VESTIBULE_STORE: `sqlite:${join(path, 'store.db')}`, KILL_AT: plan },
      nodeArgs: ['--import', import.meta.resolve('./_kill-sqlite.ts')],
      async arm(victim, n, applied) {
        await writeFile(plan, JSON.stringify({ n, applied }));
        victim.child.kill('SIGUSR2');
        await victim.logged(`armed ${n}`).catch(() => undefined);
      },
    };
  },
  async Redis(stack) {
    const redis = stack.use(await startRedis());
    const proxy = stack.use(await startCountingProxy(redis.port));
    return {
      env: { VESTIBULE_STORE: `redis://127.0.0.1:${proxy.port}` },
      async arm({ child }, n, applied) { proxy.arm(n, applied, () => child.kill('SIGKILL')); },
    };
  },
};

for (const [store, make] of Object.entries(weapons)) {
  for (const [name, flow] of Object.entries(flows)) {
    for (const applied of [false, true]) {
      const when = applied ? 'after' : 'before';
      describeFaults(`${name}, while the process is killed ${when} each operation of ${store}`, async () => {
        await using stack = new AsyncDisposableStack();
        const redirectUri = `${PUBLIC_URL}/sync/return`;
        const service = stack.use(await startEmulatedService({ redirectUris: [redirectUri] }));
        const weapon = await make(stack);
        const port = await freePort();
        const env = bffEnvironment(service, PUBLIC_URL, {
          ...weapon.env, PORT: String(port), VESTIBULE_RATE_LIMITS: 'off', NODE_COMPILE_CACHE: join(tmpdir(), 'vestibule-compile-cache'),
          VESTIBULE_SERVICE_TIMEOUT_MS: '1000', VESTIBULE_SERVICE_CONNECT_TIMEOUT_MS: '500',
        });
        const start = () => startProcess(env, [], { nodeArgs: weapon.nodeArgs ?? [] });
        let running: Running = await start();
        stack.defer(() => running[Symbol.asyncDispose]());
        const hasEnded = () => running.process.child.signalCode !== null;
        const runs: FaultRun[] = [];
        while (runs.every(({ hasFailed }) => hasFailed)) {
          const n = runs.length + 1;
          let isKilled = false;
          const run = new FaultRun(flow, {
            service,
            browser: () => new ReaderClient({
              server: `http://127.0.0.1:${port}`, path: '/vestibule', origin: new URL(PUBLIC_URL).origin, redirectUri, service,
            }),
            arm: () => weapon.arm(running.process, n, applied),
            hasFailed: hasEnded,
            async recover() {
              if (isKilled) return;
              const { process } = running;
              // A flow without a failure is over: what follows does not count.
              if (!run.hasFailed) await Promise.race([weapon.arm(process, 0, false), process.end()]);
              if (!run.hasFailed && !hasEnded()) return;
              await process.end();
              isKilled = true;
              running = await start();
            },
            pause: (seconds) => setTimeout(seconds * 1000),
          }, `operation ${n}`);
          runs.push(run);
          await run.play();
        }
        return runs;
      });
    }
  }
}
