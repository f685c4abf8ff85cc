/** The one wait of the tests, in Node.js and in browsers: repeats a check until it holds. A slow machine makes a test slower,
 *  not red. */

const DEADLINE_MS = 30_000;
const PAUSE_MS = 20;

let deadlineMs = DEADLINE_MS;

// Tests may replace the timers of their page.
const { setTimeout } = globalThis;

/** Resolves with the first value of `check` that is neither `false` nor `undefined` nor `null`. An error that `check` throws
 *  counts as "not yet".
 *  @param what names the expectation in the error message
 *  @throws {Error} named `AssertionError`, with the last error of `check` as its cause, after 30 s */
export async function until<T>(what: string, check: () => T | Promise<T>): Promise<NonNullable<Exclude<T, false>>> {
  const giveUpAt = performance.now() + deadlineMs;
  for (;;) {
    let cause: unknown;
    try {
      const value = await check();
      if (value !== false && value !== undefined && value !== null) return value as NonNullable<Exclude<T, false>>;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > giveUpAt) {
      throw Object.assign(new Error(`Not within ${deadlineMs / 1000} s: ${what}`, { cause }), { name: 'AssertionError' });
    }
    await new Promise<void>((resolve) => { setTimeout(resolve, PAUSE_MS); });
  }
}

/** Runs `action` with another deadline of `until`. */
export async function withDeadline<T>(ms: number, action: () => T | Promise<T>): Promise<T> {
  deadlineMs = ms;
  try {
    return await action();
  } finally {
    deadlineMs = DEADLINE_MS;
  }
}
