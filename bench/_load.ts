/** Starts the process that sends the load. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadResult, LoadOptions } from './_load-process.ts';
import { prefer } from './_measured-process.ts';
import type { ScenarioOptions } from './_scenarios.ts';

export interface Load extends AsyncDisposable {
  /** @throws {Error} if a request fails: refusals are fast */
  apply(options: LoadOptions): Promise<LoadResult>;
}

export function startLoad(readers: ScenarioOptions): Load {
  const child = fork(join(import.meta.dirname, '_load-process.ts'));
  prefer(child.pid);
  child.send({ readers });
  return {
    async apply(options) {
      child.send({ load: options });
      const [result] = await once(child, 'message') as [LoadResult];
      if (result.failed > 0) throw new Error(`${result.failed} requests of ${options.scenario} failed`);
      return result;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
