/** A reader is not kept waiting for a service that has fallen silent. The post goes on, and the same request again, with its
 *  key, learns what became of it. */

import { ProblemError } from '../http/problem-error.ts';
import { Deadlines } from '../lib/deadlines.ts';

/** For which a reader waits whatever the service does. */
export const PATIENCE_MS = 2_000;

/** How often is looked afterwards. */
const LOOK_EVERY_MS = 100;

/** Five tries of the widget, this far apart, outlast the time that the service has for an answer. */
export const SILENT_RETRY_SECONDS = 3;

export class Impatience {
  readonly #patience: Deadlines;

  constructor(now?: () => number) {
    this.#patience = new Deadlines(PATIENCE_MS, now);
  }

  /** What `work` comes to. @throws {ProblemError} `post-in-progress` where the service is silent; what `work` throws */
  unlessSilent<T>(work: Promise<T>, isSilent: () => boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const look = () => {
        if (isSilent()) reject(new ProblemError('post-in-progress', { retryAfterSeconds: SILENT_RETRY_SECONDS }));
        else timer = setTimeout(look, LOOK_EVERY_MS);
      };
      const patience = this.#patience.begin(look);
      const settle = () => {
        patience.end();
        clearTimeout(timer);
      };
      work.then((result) => {
        settle();
        resolve(result);
      }, (error: unknown) => {
        settle();
        reject(error);
      });
    });
  }
}
