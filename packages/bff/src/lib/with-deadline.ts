/** A promise with an end: `work` settles within `timeoutMs`, or the result rejects with what `onTimeout` makes.
 *  The work itself is not stopped; its `signal` tells it to. */

export async function withDeadline<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => T | Promise<T>,
  onTimeout: () => Error,
): Promise<T> {
  const controller = new AbortController();
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    controller.abort();
    reject(onTimeout());
  }, timeoutMs);
  try {
    return await Promise.race([Promise.resolve(work(controller.signal)), expired]);
  } finally {
    clearTimeout(timer);
  }
}
