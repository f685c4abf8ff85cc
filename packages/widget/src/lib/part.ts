/** A part of an element, in a chunk of its own. */

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
  readonly #request: () => Promise<Module>;
  readonly #options: PartOptions;

  constructor(request: () => Promise<Module>, options: PartOptions) {
    this.#request = request;
    this.#options = options;
  }

  load(): Promise<Module> {
    return this.#loading ??= this.#start();
  }

  async #start(): Promise<Module> {
    try {
      this.module = await this.#request();
      this.hasFailed = false;
      return this.module;
    } catch (error) {
      this.#loading = undefined;
      if (!this.hasFailed) this.#options.onFailure(error);
      this.hasFailed = true;
      throw error;
    } finally {
      this.#options.onChange();
    }
  }
}
