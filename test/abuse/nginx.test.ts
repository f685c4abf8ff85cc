/** Abuse of `vestibule serve` behind nginx, with each configuration that this repository publishes. */

import { startNginx, startDocumentedNginx } from '../deploy/_nginx.ts';
import { describeAbuse } from './_describe-abuse.ts';

describeAbuse('behind nginx with deploy/nginx.conf', {
  isProxied: true,
  enter: async (port, stack) => {
    const { httpsPort, certificate } = stack.use(await startNginx([port, port]));
    return { port: httpsPort, certificate };
  },
});

describeAbuse('behind nginx with the configuration of docs/install.md', {
  isProxied: true,
  enter: async (port, stack) => {
    const { httpsPort, certificate } = stack.use(await startDocumentedNginx(port));
    return { port: httpsPort, certificate };
  },
});
