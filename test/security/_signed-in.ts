/** A BFF and a reader who is signed in. */

import { startBff, type Bff, type BffSettings } from '../lib/bff.ts';
import type { ReaderClient } from '../lib/reader.ts';

export interface SignedIn extends AsyncDisposable {
  readonly bff: Bff;
  readonly reader: ReaderClient;
}

export async function startSignedIn(settings: BffSettings): Promise<SignedIn> {
  const bff = await startBff(settings);
  const reader = bff.browser();
  await reader.signIn();
  return { bff, reader, [Symbol.asyncDispose]: () => bff[Symbol.asyncDispose]() };
}
