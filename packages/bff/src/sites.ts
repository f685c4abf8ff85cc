/** The sites of one process: an instance each, with one store, and the host name of a request decides between them. */

import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { endpoints, INSTANCE_PREFIX, PROBLEM_MEDIA_TYPE, PROBLEM_TYPE_PREFIX, problemTypes, type Problem } from '@vestibule/shared';
import type { Handler } from './app.ts';
import type { Config } from './config/config.ts';
import { plainText } from './lib/text.ts';
import { createFromConfig, createShared, type Overrides, type VestibuleProcess } from './vestibule.ts';

/** What a process serves: one instance, or several as one. */
export type Served = Pick<VestibuleProcess, 'router' | 'metrics' | 'markUnready' | 'drain' | 'close'> & AsyncDisposable;

/** Host and port. A URL parser would read more: user info, a path, percent-encodings. */
const HOST = /^[\w.:[\]-]+$/;

const HEALTH = new RegExp(`(?:${endpoints.health.path}|${endpoints.readiness.path})/?$`);

/** An unknown host leaves a line at `warn` once in this time, in ms, and so many hosts do. Other lines are at `debug`. */
const REPORT_MS = 60_000;
const MAX_REPORTS = 100;

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
  const reported = new LRUCache<string, true>({ max: MAX_REPORTS, ttl: REPORT_MS, ttlResolution: 0, perf: { now: shared.now } });
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
    const site = HOST.test(given) ? byHost.get(URL.parse(`http://${given}`)?.hostname.replace(/\.$/, '')) : undefined;
    if (site) return site.router(req, res);
    // Probes name the address of the process.
    const [health] = HEALTH.exec(path) ?? [];
    if (health !== undefined) {
      req.url = health;
      return anySite.router(req, res);
    }
    const id = randomUUID();
    const host = plainText(given, 100);
    shared.log[isToReport(host) ? 'warn' : 'debug'](
      { request_id: id, host, setting: 'sites' }, 'no site has the host name of a request: its response is 404',
    );
    const problem: Problem = {
      type: `${PROBLEM_TYPE_PREFIX}not-found`, ...problemTypes['not-found'], detail: 'There is nothing at this address.', instance: INSTANCE_PREFIX + id,
    };
    res.writeHead(problem.status, {
      'Cache-Control': 'no-store', 'Content-Type': PROBLEM_MEDIA_TYPE, 'X-Content-Type-Options': 'nosniff', 'X-Request-Id': id,
    }).end(JSON.stringify(problem));
  }

  function isToReport(host: string): boolean {
    reported.purgeStale();
    if (reported.has(host) || reported.size === MAX_REPORTS) return false;
    reported.set(host, true);
    return true;
  }
}
