/** The published command is killed at write n of its SQLite file, for every n of a sign-in, of a post and of a sign-out, and
 *  started again on the same file (contract, section 3). */

import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess, type Running } from '../lib/bff-process.ts';
import { describeFaults, FaultRun, flows } from '../lib/fault-run.ts';
import { freePort } from '../lib/free-port.ts';
import { ReaderClient } from '../lib/reader.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startEmulatedService } from '../service/index.ts';

for (const [name, flow] of Object.entries(flows)) {
  for (const applied of [false, true]) {
    describeFaults(`${name}, while the process is killed ${applied ? 'after' : 'before'} each write`, async () => {
      await using stack = new AsyncDisposableStack();
      const redirectUri = `${PUBLIC_URL}/sync/return`;
      const service = stack.use(await startEmulatedService({ redirectUris: [redirectUri] }));
      const { path } = stack.use(await temporaryDirectory());
      const plan = join(path, 'plan.json');
      const port = await freePort();
      const env = bffEnvironment(service, PUBLIC_URL, {
        VESTIBULE_STORE: `sqlite:${join(path, 'store.db')}`, KILL_AT: plan, PORT: String(port), VESTIBULE_RATE_LIMITS: 'off',
        NODE_COMPILE_CACHE: join(tmpdir(), 'vestibule-compile-cache'),
        VESTIBULE_SERVICE_TIMEOUT_MS: '1000', VESTIBULE_SERVICE_CONNECT_TIMEOUT_MS: '500',
      });
      const start = () => startProcess(env, [], { nodeArgs: ['--import', import.meta.resolve('./_kill-sqlite.ts')] });
      let running: Running = await start();
      stack.defer(() => running[Symbol.asyncDispose]());
      const hasEnded = () => running.process.child.signalCode !== null;
      /** Plans the kill; `n` 0: none. */
      const arm = async (n: number) => {
        await writeFile(plan, JSON.stringify({ n, applied }));
        running.process.child.kill('SIGUSR2');
        await running.process.logged(`armed ${n}`).catch(() => undefined);
      };
      const runs: FaultRun[] = [];
      while (runs.every(({ hasFailed }) => hasFailed)) {
        const n = runs.length + 1;
        let isKilled = false;
        const run = new FaultRun(flow, {
          service,
          browser: () => new ReaderClient({
            server: `http://127.0.0.1:${port}`, path: '/vestibule', origin: new URL(PUBLIC_URL).origin, redirectUri, service,
          }),
          arm: () => arm(n),
          hasFailed: hasEnded,
          async recover() {
            if (isKilled) return;
            // A flow without a failure is over: what follows does not count.
            if (!run.hasFailed) await arm(0);
            if (!run.hasFailed && !hasEnded()) return;
            await running.process.end();
            isKilled = true;
            running = await start();
          },
          pause: (seconds) => setTimeout(seconds * 1000),
        }, `write ${n}`);
        runs.push(run);
        await run.play();
      }
      return runs;
    });
  }
}
