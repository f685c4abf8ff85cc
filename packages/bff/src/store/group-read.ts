/** Group read: the lookups of one turn of the event loop share one transaction, which costs as much to begin and to end as
 *  two lookups. Their requests are then answered together, which spares the system a wake of the peer for each. */

import { StoreUnavailableError } from './store.ts';

interface Reader<T> {
  readonly keys: readonly string[];
  readonly settle: (found: readonly T[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Looks the keys up in one transaction: what was found, in their order. */
export type ReadTogether<T> = (keys: readonly string[]) => readonly T[];

export class GroupRead<T> {
  readonly #read: ReadTogether<T>;
  readonly #unsettled: (keys: readonly string[]) => Promise<void> | undefined;
  #waiting: Reader<T>[] = [];

  /** @param unsettled settles when what was found under the keys may be told; `undefined` where it may at once */
  constructor(read: ReadTogether<T>, unsettled: (keys: readonly string[]) => Promise<void> | undefined) {
    this.#read = read;
    this.#unsettled = unsettled;
  }

  /** @throws {StoreUnavailableError} */
  find(keys: readonly string[]): Promise<readonly T[]> {
    return new Promise((resolve, reject) => { this.#wait({ keys, settle: resolve, reject }); });
  }

  /** @throws {StoreUnavailableError} */
  findOne(key: string): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#wait({ keys: [key], settle: ([found]) => { resolve(found as T); }, reject });
    });
  }

  #wait(reader: Reader<T>): void {
    if (this.#waiting.push(reader) === 1) setImmediate(() => { this.#readAll(); });
  }

  #readAll(): void {
    const readers = this.#waiting;
    this.#waiting = [];
    try {
      const found = this.#read(readers.flatMap(({ keys }) => keys));
      let at = 0;
      for (const reader of readers) this.#tell(reader, found.slice(at, at += reader.keys.length));
    } catch (error) {
      for (const { reject } of readers) reject(new StoreUnavailableError(error));
    }
  }

  #tell({ keys, settle, reject }: Reader<T>, found: readonly T[]): void {
    const unsettled = this.#unsettled(keys);
    if (unsettled) unsettled.then(() => { settle(found); }, reject);
    else settle(found);
  }
}
