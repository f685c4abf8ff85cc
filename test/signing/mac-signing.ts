/** The published vectors of the signing scheme as data, for the product and for the emulated service. */

import { readFileSync } from 'node:fs';

export interface MacVector {
  readonly name: string;
  readonly id: string;
  readonly key: string;
  readonly nonce: string;
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly port: string;
  /** `null`: nothing to hash. */
  readonly params: readonly (readonly [string, string])[] | null;
  readonly normalized: string;
  readonly bodyHash: string;
  readonly requestString: string;
  readonly mac: string;
}

const file = readFileSync(new URL('mac-signing.json', import.meta.url), 'utf8');

export const macVectors = (JSON.parse(file) as { readonly vectors: readonly MacVector[] }).vectors;
