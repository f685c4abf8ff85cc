/** Group read: the lookups of one turn of the event loop share one transaction, which costs as much to begin and to end as
 *  two lookups. Their requests are then answered together, which spares the system a wake of the peer for each. */

interface Reader<T> {
  readonly keys: readonly string[];
  readonly resolve: (found: readonly T[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Looks the keys up in one transaction: what was found, in their order. */
export type ReadTogether<T> = (keys: readonly string[]) => readonly T[];

export class GroupRead<T> {
  readonly #read: ReadTogether<T>;
  #waiting: Reader<T>[] = [];

  constructor(read: ReadTogether<T>) {
    this.#read = read;
  }

  /** Rejects with what the reading throws. */
  find(keys: readonly string[]): Promise<readonly T[]> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ keys, resolve, reject }) === 1) setImmediate(() => { this.#readAll(); });
    });
  }

  #readAll(): void {
    const readers = this.#waiting;
    this.#waiting = [];
    try {
      const found = this.#read(readers.flatMap(({ keys }) => keys));
      let at = 0;
      for (const { keys, resolve } of readers) resolve(found.slice(at, at += keys.length));
    } catch (error) {
      for (const { reject } of readers) reject(error);
    }
  }
}
