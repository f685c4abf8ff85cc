/** Resolves after `ms` milliseconds. Uses the global timer, which tests can replace. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => { setTimeout(resolve, ms); });
}
