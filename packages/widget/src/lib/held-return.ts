/** What was taken from the page's address before the element that it is for was there. */

import { takeSyncReturn, type TakenSyncReturn } from './sync-return.ts';

let held: TakenSyncReturn | undefined;

/** Takes the return from the address now, for the one who asks later. */
export function holdSyncReturn(): void {
  held ??= takeSyncReturn(location, history);
}

/** What is held, else what the address carries now; each only once. */
export function takeHeldReturn(): TakenSyncReturn | undefined {
  const taken = held ?? takeSyncReturn(location, history);
  held = undefined;
  return taken;
}
