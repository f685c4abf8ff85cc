/** Abuse of `vestibule serve` behind nginx with the configuration in the documentation. */

import { startDocumentedNginx } from '../deploy/_nginx.ts';
import { describeAbuse } from './_describe-abuse.ts';
import { passageOf } from './_nginx-passage.ts';

describeAbuse('behind nginx with the configuration of docs/install.md', {
  isProxied: true,
  enter: async (port, stack) => passageOf(stack.use(await startDocumentedNginx(port))),
});
