/** Abuse of `vestibule serve` behind nginx, with each configuration that this repository publishes. */

import { startNginx, startReadmeNginx } from '../deploy/_nginx.ts';
import { describeAbuse } from './_describe-abuse.ts';

describeAbuse('behind nginx with deploy/nginx.conf', {
  isProxied: true,
  enter: async (port, stack) => {
    const { httpsPort, certificate } = stack.use(await startNginx([port, port]));
    return { port: httpsPort, certificate };
  },
});

describeAbuse('behind nginx with the configuration of the README', {
  isProxied: true,
  enter: async (port, stack) => {
    const { httpsPort, certificate } = stack.use(await startReadmeNginx(port));
    return { port: httpsPort, certificate };
  },
});
