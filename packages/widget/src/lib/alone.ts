/** One tab at a time: a Web Lock. Where the browser has none (no secure context), nobody waits. */

/** A tab that is suspended keeps its locks: after this time, in ms, nobody waits for it. */
const LONGEST_WAIT_MS = 30_000;

/** Runs `act` while no other tab or box runs one of this name. Rejects with the reason of `signal` if that aborts the wait. */
export async function alone<Result>(name: string, signal: AbortSignal, act: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  if (!(navigator as Partial<Navigator>).locks) return act();
  let hasBegun = false;
  const begin = (): Promise<Result> => {
    hasBegun = true;
    return act();
  };
  const wait = new AbortController();
  const timer = setTimeout(() => wait.abort(), LONGEST_WAIT_MS);
  try {
    return await navigator.locks.request(`vestibule ${name}`, { signal: AbortSignal.any([signal, wait.signal]) }, begin);
  } catch (error) {
    // What `act` has thrown; the reader's abort; or the browser has no locks for this page.
    if (hasBegun) throw error;
    signal.throwIfAborted();
    return begin();
  } finally {
    clearTimeout(timer);
  }
}

/** Runs `act`, unless another tab or box runs one of this name. */
export async function ifFree(name: string, act: () => Promise<void>): Promise<void> {
  const { locks } = navigator as Partial<Navigator>;
  if (!locks) return act();
  let hasAsked = false;
  try {
    await locks.request(`vestibule ${name}`, { ifAvailable: true }, async (lock) => {
      hasAsked = true;
      if (lock) await act();
    });
  } catch (error) {
    // What `act` has thrown; or the browser has no locks for this page.
    if (hasAsked) throw error;
    await act();
  }
}
