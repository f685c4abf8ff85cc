/** A counting semaphore: so many at work at the same time, and the others in the order of their calls. */

export type Slots = ReturnType<typeof createSlots>;

/** @param limit how many are at work at most @param waitMs how long the others wait at most; 0: not at all */
export function createSlots(limit: number, waitMs: number) {
  let free = limit;
  const waiting = new Set<(isTaken: boolean) => void>();
  let isRefusing = false;
  return { take, release, refuseWaiting };

  /** @returns `false`: no slot became free within `waitMs`, before `signal` was aborted or before `refuseWaiting` */
  async function take(signal?: AbortSignal): Promise<boolean> {
    if (free > 0) {
      free -= 1;
      return true;
    }
    if (waitMs === 0 || isRefusing || signal?.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const refuse = () => {
      waiting.delete(resolve);
      resolve(false);
    };
    waiting.add(resolve);
    signal?.addEventListener('abort', refuse, { once: true });
    const timer = setTimeout(refuse, waitMs);
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', refuse);
    });
  }

  /** Of a slot that was taken: the next one gets it. */
  function release(): void {
    const [next] = waiting;
    if (!next) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next(true);
  }

  /** Refuses the calls that wait, and later ones that would. */
  function refuseWaiting(): void {
    isRefusing = true;
    for (const refuse of waiting) refuse(false);
    waiting.clear();
  }
}
