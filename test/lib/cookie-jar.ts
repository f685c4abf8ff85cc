/** The cookies of one BFF in one browser: keeps what `Set-Cookie` sets, drops what it clears. */

export class CookieJar {
  readonly #values: Map<string, string>;

  constructor(values: Iterable<readonly [name: string, value: string]> = []) {
    this.#values = new Map(values);
  }

  /** The `Cookie` header; `undefined` without cookies. */
  get header(): string | undefined {
    return this.#values.size === 0 ? undefined : [...this.#values].map((pair) => pair.join('=')).join('; ');
  }

  /** @param lines of `Set-Cookie` */
  keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = ''] = line.split(';', 1);
      const equals = pair.indexOf('=');
      const name = pair.slice(0, equals);
      if (/; ?Expires=Thu, 01 Jan 1970/.test(line)) this.#values.delete(name);
      else this.#values.set(name, pair.slice(equals + 1));
    }
  }

  copy(): CookieJar {
    return new CookieJar(this.#values);
  }
}
