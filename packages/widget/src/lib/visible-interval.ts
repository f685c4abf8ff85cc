/** Calls `run` every minute while the page can be seen and `isWanted`, when the reader comes back to it later than that, and when
 *  the browser restores it from the back/forward cache. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';

const INTERVAL_MS = 60_000;

export class VisibleInterval implements ReactiveController {
  readonly #run: () => void;
  readonly #isWanted: () => boolean;
  #timer: ReturnType<typeof setInterval> | undefined;
  #ranAt = 0;

  constructor(host: ReactiveControllerHost, run: () => void, isWanted = (): boolean => true) {
    this.#run = run;
    this.#isWanted = isWanted;
    host.addController(this);
  }

  hostConnected(): void {
    this.#ranAt = Date.now();
    this.#timer = setInterval(this.check, INTERVAL_MS);
    document.addEventListener('visibilitychange', this.check);
    addEventListener('pageshow', this.check);
  }

  hostDisconnected(): void {
    clearInterval(this.#timer);
    document.removeEventListener('visibilitychange', this.check);
    removeEventListener('pageshow', this.check);
  }

  /** Calls it now if it is due. A timer may be a little early. */
  readonly check = (event?: Event): void => {
    const isDue = (event as Partial<PageTransitionEvent> | undefined)?.persisted ?? Date.now() - this.#ranAt > INTERVAL_MS - 1000;
    if (!isDue || document.visibilityState !== 'visible' || !this.#isWanted()) return;
    this.#ranAt = Date.now();
    this.#run();
  };
}
