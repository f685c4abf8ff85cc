/** Numbers that a seed determines (mulberry32), and what generated cases are made of. A case that fails is told by its
 *  number: the same seed makes the same cases. */

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** From 0 to below `bound`, whole. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }

  /** Well-formed text: what encoders and parsers get wrong, and common letters. */
  text(maxLength: number): string {
    return this.times(maxLength, () => this.character()).join('');
  }

  character(): string {
    if (this.chance(0.4)) return this.of(LETTERS);
    if (this.chance(0.6)) return this.of(AWKWARD);
    const point = this.below(0x11_0000 - 0x800);
    return String.fromCodePoint(point < 0xd800 ? point : point + 0x800);
  }
}

const LETTERS = [...'abcxyzABCXYZ0189'];
const AWKWARD = [
  ...'!\'()*~%+& =?#/:;,@$"<>\\^`{|}[]._-', '\t', '\n', '\r', '\0', '\u007f', '\u0085', '\u00a0', '\u00ad', '\u200b', '\u200e', '\u202e',
  '\u2028', '\u2029', '\u3000', '\u3002', '\ufeff', '\uff0f', '\uffff', 'ä', 'ß', '🦊',
];
