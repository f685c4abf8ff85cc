/** Makes nonces under a frozen clock and prints them, one a line. The first argument is how many. */

import { once } from 'node:events';
import { createNonce } from '../../packages/bff/src/signing/sign-request.ts';

const NONCES_A_WRITE = 1_000;

const now = () => 1_700_000_000_123;
for (let left = Number(process.argv[2]); left > 0; left -= NONCES_A_WRITE) {
  const nonces = Array.from({ length: Math.min(left, NONCES_A_WRITE) }, () => createNonce({ now }));
  if (!process.stdout.write(`${nonces.join('\n')}\n`)) await once(process.stdout, 'drain');
}
