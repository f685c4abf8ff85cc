/** Registers the validation form of a page that has one. Takes the callback out of the page's address before its script loads. */

import { captureCallback } from './session/callback.ts';
import { loadSync } from './sync/load-sync.ts';

export async function defineForm(): Promise<void> {
  captureCallback();
  await loadSync();
}
