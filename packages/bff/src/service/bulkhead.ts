/** A cap on calls under way with a short queue before it, bounded in length and in time: a slow service holds so many
 *  calls and no more, and a reader is told within a second that it does. */

import { NotAdmittedError } from './not-admitted-error.ts';

export interface BulkheadSettings {
  /** Calls under way at most. */
  readonly capacity: number;
  /** Calls that wait for one of them to end, at most. */
  readonly queue: number;
  /** For which a call waits at most. */
  readonly queueTimeoutMs: number;
}

export class Bulkhead {
  readonly #settings: BulkheadSettings;
  #underWay = 0;
  /** In the order of their arrival. */
  readonly #waiting = new Set<() => void>();

  constructor(settings: BulkheadSettings) {
    this.#settings = settings;
  }

  get underWay(): number {
    return this.#underWay;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether one more call would be turned away. */
  get isFull(): boolean {
    return this.#underWay >= this.#settings.capacity && this.#waiting.size >= this.#settings.queue;
  }

  /** Does `work` once there is room. @throws {NotAdmittedError} `busy`; the work was not begun */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#underWay < this.#settings.capacity) this.#underWay += 1;
    else await this.#wait();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Settles when a call that ended has left its place to this one. */
  #wait(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (this.isFull) {
      reject(new NotAdmittedError('busy'));
      return promise;
    }
    const enter = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      this.#waiting.delete(enter);
      reject(new NotAdmittedError('busy'));
    }, this.#settings.queueTimeoutMs);
    this.#waiting.add(enter);
    return promise;
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else {
      this.#underWay -= 1;
    }
  }
}
