/** Abuse of `vestibule serve` behind nginx, with each configuration that this repository publishes. */

import { startDocumentedNginx, startNginx, type Proxy } from '../deploy/_nginx.ts';
import type { Passage } from './_abuse-run.ts';
import { describeAbuse } from './_describe-abuse.ts';
import { childrenOf } from './_process-usage.ts';

describeAbuse('behind nginx with deploy/nginx.conf', {
  isProxied: true,
  enter: async (port, stack) => passageOf(stack.use(await startNginx([port, port]))),
});

describeAbuse('behind nginx with the configuration of docs/install.md', {
  isProxied: true,
  enter: async (port, stack) => passageOf(stack.use(await startDocumentedNginx(port))),
});

async function passageOf({ httpsPort, certificate, pid }: Proxy): Promise<Passage> {
  return { entrance: { port: httpsPort, certificate }, proxies: await childrenOf(pid) };
}
