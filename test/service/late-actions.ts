/** What is to happen after the answer, or after the lack of one: late commits and delayed answers. */

export class LateActions {
  readonly #timers = new Set<NodeJS.Timeout>();
  #settled = Promise.withResolvers<void>();

  add(delayMs: number, action: () => void): void {
    const timer = setTimeout(() => {
      action();
      this.#remove(timer);
    }, delayMs);
    this.#timers.add(timer);
  }

  /** When none is outstanding. */
  async whenSettled(): Promise<void> {
    if (this.#timers.size > 0) await this.#settled.promise;
  }

  /** Drops what is outstanding. */
  cancel(): void {
    for (const timer of this.#timers) {
      clearTimeout(timer);
      this.#remove(timer);
    }
  }

  #remove(timer: NodeJS.Timeout): void {
    this.#timers.delete(timer);
    if (this.#timers.size > 0) return;
    this.#settled.resolve();
    this.#settled = Promise.withResolvers<void>();
  }
}
