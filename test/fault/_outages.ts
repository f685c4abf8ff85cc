/** When something was dead: what happened to a request meanwhile has its reason there. */

export interface Span {
  readonly from: number;
  /** `Infinity` while it lasts. */
  readonly to: number;
}

export class Outages {
  readonly #spans: { from: number; to: number }[] = [];

  /** One that begins now. @returns what ends it */
  begin(): () => void {
    const span = { from: performance.now(), to: Infinity };
    this.#spans.push(span);
    return () => { span.to = performance.now(); };
  }

  get count(): number {
    return this.#spans.length;
  }

  /** Whether any of them had a moment in common with `span`. */
  overlap({ from, to }: Span): boolean {
    return this.#spans.some((outage) => outage.from <= to && outage.to >= from);
  }
}
