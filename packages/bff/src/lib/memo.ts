/** Remembers what a pure function gave for the texts that it was asked last, in bounded memory: two generations, of which
 *  the older is let go when the younger is full. For what costs more than a look into a map. */

export class Memo<V> {
  readonly #limit: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  /** @param limit entries of a generation: between this and twice as many are remembered */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What is remembered for `text`, or what `make` gives, remembered from now on; `undefined` is not. */
  get<R extends V | undefined>(text: string, make: (text: string) => R): V | R {
    const young = this.#young.get(text);
    if (young !== undefined) return young;
    const value = this.#old.get(text) ?? make(text);
    if (value !== undefined) this.#remember(text, value);
    return value;
  }

  #remember(text: string, value: V): void {
    if (this.#young.size >= this.#limit) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, value);
  }
}
