/** Abuse of `vestibule serve` behind nginx with the published configuration file. */

import { startNginx } from '../deploy/_nginx.ts';
import { describeAbuse } from './_describe-abuse.ts';
import { passageOf } from './_nginx-passage.ts';

describeAbuse('behind nginx with deploy/nginx.conf', {
  isProxied: true,
  enter: async (port, stack) => passageOf(stack.use(await startNginx([port, port]))),
});
