/** Admits requests until the instance drains, and counts those that were admitted until their response is finished. */

import { finished } from 'node:stream/promises';
import type { RequestHandler } from 'express';
import { InFlight } from '../lib/in-flight.ts';
import { ProblemError } from './problem-error.ts';

/** A fleet or a restarted process admits requests again by then. */
const RETRY_SECONDS = 2;

export class Admission {
  readonly #inFlight = new InFlight();
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** @throws {ProblemError} `service-unavailable` after `close` */
  readonly admit: RequestHandler = (_req, res, next) => {
    if (this.#isClosed) {
      throw new ProblemError('service-unavailable', {
        detail: 'Comments are restarting. Nothing was sent; please try again in a moment.',
        retryAfterSeconds: RETRY_SECONDS,
        diagnosis: { reason: 'the BFF drains: it was asked to stop', setting: 'the deployment or the process manager' },
      });
    }
    void this.#inFlight.run(() => finished(res).catch(() => undefined));
    next();
  };

  /** Refuses further requests. Resolves when the responses to those that were admitted are finished. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#inFlight.idle();
  }
}
