/** Time spans in which a process was down: they explain failed requests. */

export interface Span {
  readonly from: number;
  /** `Infinity` until it ends. */
  readonly to: number;
}

export class Outages {
  readonly #spans: { from: number; to: number }[] = [];

  /** Begins an outage. @returns a function that ends it */
  begin(): () => void {
    const span = { from: performance.now(), to: Infinity };
    this.#spans.push(span);
    return () => { span.to = performance.now(); };
  }

  get count(): number {
    return this.#spans.length;
  }

  /** Whether an outage overlaps with `span`. */
  overlap({ from, to }: Span): boolean {
    return this.#spans.some((outage) => outage.from <= to && outage.to >= from);
  }
}
