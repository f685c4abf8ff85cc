/** Counts work in progress, so that a draining process can wait for the end of it. */
export class InFlight {
  #count = 0;
  #onIdle: (() => void)[] = [];

  /** Runs `work` and counts it until it settles. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await work();
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  }

  /** Resolves when nothing is in progress. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#count === 0) resolve();
      else this.#onIdle.push(resolve);
    });
  }
}
