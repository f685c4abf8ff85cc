/** Repeats a step on the store that must not be left half-known: after an external effect, giving up costs the reader more
 *  than waiting. */

import { pause } from '../lib/pause.ts';
import { StoreUnavailableError } from './store.ts';

/** Pauses between the attempts, in ms. */
const PAUSES_MS = [100, 400, 1_000] as const;

/** Runs `step` until it settles with anything but `StoreUnavailableError`, at most four times.
 *  @param step gets the number of earlier attempts, any of which may have been applied although its reply was lost
 *  @throws {StoreUnavailableError} after the last attempt */
export async function withStoreRetries<T>(step: (earlierAttempts: number) => Promise<T>): Promise<T> {
  for (const [attempt, pauseMs] of PAUSES_MS.entries()) {
    try {
      return await step(attempt);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      await pause(pauseMs);
    }
  }
  return step(PAUSES_MS.length);
}
