/** A reader is not kept waiting for a service that has fallen silent. The post goes on, and the same request again, with its
 *  key, learns what became of it. */

import { ProblemError } from '../http/problem-error.ts';

/** For which a reader waits whatever the service does. */
export const PATIENCE_MS = 2_000;

/** How often is looked afterwards. */
const LOOK_EVERY_MS = 100;

/** Five tries of the widget, this far apart, outlast the time that the service has for an answer. */
export const SILENT_RETRY_SECONDS = 3;

/** What `work` comes to. @throws {ProblemError} `post-in-progress` where the service is silent; what `work` throws */
export function unlessSilent<T>(work: Promise<T>, isSilent: () => boolean): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const look = () => {
    if (isSilent()) reject(new ProblemError('post-in-progress', { retryAfterSeconds: SILENT_RETRY_SECONDS }));
    else timer = setTimeout(look, LOOK_EVERY_MS);
  };
  let timer = setTimeout(look, PATIENCE_MS);
  work.then((result) => {
    clearTimeout(timer);
    resolve(result);
  }, (error: unknown) => {
    clearTimeout(timer);
    reject(error);
  });
  return promise;
}
