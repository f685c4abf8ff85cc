/** The process that asks, from the benchmark's side. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadResult, LoadWish } from './_load-process.ts';
import { prefer } from './_measured-process.ts';
import type { ScenarioWish } from './_scenarios.ts';

export interface Load extends AsyncDisposable {
  /** @throws where a request failed: a figure of refusals would look like speed */
  apply(wish: LoadWish): Promise<LoadResult>;
}

export function startLoad(readers: ScenarioWish): Load {
  const child = fork(join(import.meta.dirname, '_load-process.ts'));
  prefer(child.pid);
  child.send({ readers });
  return {
    async apply(wish) {
      child.send({ load: wish });
      const [result] = await once(child, 'message') as [LoadResult];
      if (result.failed > 0) throw new Error(`${result.failed} requests of ${wish.scenario} failed`);
      return result;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
