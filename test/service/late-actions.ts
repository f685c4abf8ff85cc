/** Actions after a response, or instead of one: late commits and delayed responses. */

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

  /** Resolves when none is outstanding. */
  async whenSettled(): Promise<void> {
    if (this.#timers.size > 0) await this.#settled.promise;
  }

  /** Cancels every outstanding action. */
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
