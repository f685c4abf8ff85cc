import type { Proxy } from '../deploy/_nginx.ts';
import type { Passage } from './_abuse-run.ts';
import { childrenOf } from './_process-usage.ts';

export async function passageOf({ httpsPort, certificate, pid }: Proxy): Promise<Passage> {
  return { entrance: { port: httpsPort, certificate }, proxies: await childrenOf(pid) };
}
