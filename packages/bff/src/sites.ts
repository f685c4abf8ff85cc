/** The sites of one process: an instance each, with one store, and the host name of a request decides between them. */

import { endpoints } from '@vestibule/shared';
import type { Handler } from './app.ts';
import type { Config } from './config/config.ts';
import { plainText } from './lib/text.ts';
import { createFromConfig, createShared, type Overrides, type VestibuleProcess } from './vestibule.ts';

/** What a process serves: one instance, or several as one. */
export type Served = Pick<VestibuleProcess, 'router' | 'metrics' | 'markUnready' | 'drain' | 'close'> & AsyncDisposable;

const HEALTH = new RegExp(`(?:${endpoints.health.path}|${endpoints.readiness.path})/?$`);

/** @param configs of `loadSites` */
export async function createServed(configs: readonly [Config, ...Config[]], overrides: Overrides): Promise<Served> {
  const [first] = configs;
  if (first.siteHost === undefined) return createFromConfig(first, overrides);
  await using resources = new AsyncDisposableStack();
  const shared = resources.use(await createShared(first, overrides));
  const byHost = new Map<string | undefined, VestibuleProcess>();
  for (const config of configs) byHost.set(config.siteHost, resources.use(await createFromConfig(config, overrides, shared)));
  const sites = [...byHost.values()];
  const anySite = sites[0] as VestibuleProcess;
  const open = resources.move();
  const close = () => open.disposeAsync();
  return {
    router,
    metrics: () => anySite.metrics(),
    markUnready() { for (const site of sites) site.markUnready(); },
    drain: async () => { await Promise.all(sites.map((site) => site.drain())); },
    close,
    [Symbol.asyncDispose]: close,
  };

  function router(...[req, res]: Parameters<Handler>): void {
    const given = req.headers.host ?? '';
    const [path = ''] = (req.url ?? '').split('?');
    const site = byHost.get(URL.parse(`http://${given}`)?.hostname.replace(/\.$/, ''));
    if (site) return site.router(req, res);
    // Probes name the address of the process.
    const [health] = HEALTH.exec(path) ?? [];
    if (health !== undefined) {
      req.url = health;
      return anySite.router(req, res);
    }
    shared.log.warn({ host: plainText(given, 100), setting: 'sites' }, 'no site has the host name of a request: its response is 404');
    res.writeHead(404, { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' })
      .end('No site has this host name.\n');
  }
}
