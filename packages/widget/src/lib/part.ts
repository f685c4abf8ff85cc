/** A part of an element, in a chunk of its own. */

/** How soon a part that did not load is requested again when the reader acts, in ms. */
const RETRY_AFTER_MS = 10_000;

interface PartOptions {
  /** It has loaded, or has failed. */
  onChange(): void;
  /** The first of consecutive failures. */
  onFailure(error: unknown): void;
}

/** Loads once. After a failure a later call requests it again. A load in progress is never dropped. */
export class Part<Module> {
  /** `undefined` until it has loaded. */
  module: Module | undefined;
  /** Its last load has failed; also while it is requested again. */
  hasFailed = false;
  #loading: Promise<Module> | undefined;
  /** In milliseconds since the epoch; `undefined` during a load. */
  #failedAt: number | undefined;
  readonly #request: () => Promise<Module>;
  readonly #options: PartOptions;

  constructor(request: () => Promise<Module>, options: PartOptions) {
    this.#request = request;
    this.#options = options;
  }

  /** @param isWanted at once, although it has just failed: the reader asks for it, or the browser is online again */
  load(isWanted = false): Promise<Module> {
    if (this.#failedAt !== undefined && (isWanted || Date.now() - this.#failedAt > RETRY_AFTER_MS)) this.#loading = undefined;
    return this.#loading ??= this.#start();
  }

  async #start(): Promise<Module> {
    this.#failedAt = undefined;
    try {
      this.module = await this.#request();
      this.hasFailed = false;
      return this.module;
    } catch (error) {
      const isFirst = !this.hasFailed;
      this.hasFailed = true;
      this.#failedAt = Date.now();
      if (isFirst) this.#options.onFailure(error);
      throw error;
    } finally {
      this.#options.onChange();
    }
  }
}
