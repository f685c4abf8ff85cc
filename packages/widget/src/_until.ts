const { setTimeout } = globalThis;

const TIMEOUT_MS = 8000;

/** Polls `isSo` until it is truthy, also while a test has replaced the timers.
 *  @throws {Error} after 8 s; the message ends with `instead()` */
export async function until(isSo: () => unknown, what: string, instead?: () => string): Promise<void> {
  const startedAt = performance.now();
  while (!await isSo()) {
    if (performance.now() - startedAt > TIMEOUT_MS) throw new Error(`Timeout: ${what}${instead ? `; instead: ${instead()}` : ''}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
