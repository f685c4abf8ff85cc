const { setTimeout } = globalThis;

const TIMEOUT_MS = 8000;

/** Resolves once `isSo()` is truthy, also while a test has replaced the timers. Otherwise says what came `instead`. */
export async function until(isSo: () => unknown, what: string, instead?: () => string): Promise<void> {
  const startedAt = performance.now();
  while (!await isSo()) {
    if (performance.now() - startedAt > TIMEOUT_MS) throw new Error(`Timeout: ${what}${instead ? `; instead: ${instead()}` : ''}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
