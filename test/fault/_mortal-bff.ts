/** A BFF process that is killed and restarted on the same store. Requests wait while it restarts. */

import { VestibuleProcess } from '../lib/vestibule-process.ts';
import type { Outages } from './_outages.ts';

export interface MortalBffOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Arguments of `node`. */
  readonly nodeArgs?: readonly string[];
  readonly outages: Outages;
}

export class MortalBff implements AsyncDisposable {
  readonly #options: MortalBffOptions;
  #process: VestibuleProcess | undefined;
  #living: PromiseWithResolvers<string> = Promise.withResolvers<string>();

  constructor(options: MortalBffOptions) {
    this.#options = options;
  }

  /** `{bff}` of the running process. */
  get url(): Promise<string> {
    return this.#living.promise;
  }

  async start(): Promise<void> {
    const { env, nodeArgs = [] } = this.#options;
    this.#process = new VestibuleProcess({ env, nodeArgs });
    const path = new URL(env['VESTIBULE_PUBLIC_URL'] ?? '').pathname;
    this.#living.resolve(await this.#process.origin() + path);
  }

  async killAndRestart(): Promise<void> {
    const over = this.#options.outages.begin();
    this.#living = Promise.withResolvers<string>();
    await this.#process?.kill('SIGKILL');
    await this.start();
    over();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
  }
}
