/** Clock and deadlines. */

/** Milliseconds since the UNIX epoch. An argument wherever time matters, `Date.now` at the edge. */
export type Clock = () => number;

/** Whether an age is within a limit. A negative one is not: the clock was set back, and the age is unknown. */
export function isWithin(ageMs: number, limitMs: number): boolean {
  return ageMs >= 0 && ageMs <= limitMs;
}

/** Rejects with the error of `onTimeout` unless `work` settles within `timeoutMs`. Does not stop the work: aborts its
 *  `signal`. Work that the abort ends at once still decides: it has the cause. */
export async function withDeadline<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => T | Promise<T>,
  onTimeout: () => Error,
): Promise<T> {
  const controller = new AbortController();
  const { promise: expired, reject } = Promise.withResolvers<never>();
  // Timers run before sockets are read: a response that arrived while the event loop was blocked still counts.
  const timer = setTimeout(() => setImmediate(() => {
    controller.abort();
    setImmediate(() => { reject(onTimeout()); });
  }), timeoutMs);
  try {
    return await Promise.race([Promise.resolve(work(controller.signal)), expired]);
  } finally {
    clearTimeout(timer);
  }
}
