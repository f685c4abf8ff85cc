/** The sites of one process: an instance each on one store. Of several, the host name of a request picks one. */

import express from 'express';
import { LRUCache } from 'lru-cache';
import type { Handler } from './app.ts';
import type { Config } from './config/config.ts';
import { securityHeaders } from './http/guards.ts';
import { problemResponse } from './http/problem-response.ts';
import { contextOf, requestLog } from './http/request.ts';
import { healthPathOf, unknownRoute } from './http/routes.ts';
import { plainText } from './lib/text.ts';
import { NO_SITE, ProblemError } from './problem.ts';
import { openShared, type Overrides } from './shared-parts.ts';
import { createSite, type Site } from './site.ts';

/** Host and port. A URL parser would read more: user info, a path, percent-encodings. */
const HOST = /^[\w.:[\]-]+$/;

/** An unknown host leaves a line at `warn` once in this time, in ms, and so many hosts do. Other lines are at `debug`. */
const REPORT_MS = 60_000;
const MAX_REPORTS = 100;

export type Sites = Awaited<ReturnType<typeof openSites>>;

/** @param configs of `loadSites`: of one site, or of a group that has one store
 *  @param overrides `store`: closed with the result, also if its creation fails
 *  @throws {Error} if the store cannot be opened */
export async function openSites(configs: readonly [Config, ...Config[]], overrides: Overrides = {}) {
  await using resources = new AsyncDisposableStack();
  const shared = resources.use(await openShared(configs[0].store, overrides));
  const sites = configs.map((config) => resources.use(createSite(config, shared))) as [Site, ...Site[]];
  const [anySite] = sites;
  const byHost = new Map(configs.map(({ siteHost }, i) => [siteHost, sites[i] as Site]));
  const reported = new LRUCache<string, true>({ max: MAX_REPORTS, ttl: REPORT_MS, ttlResolution: 0, perf: { now: shared.now } });
  const logRequest = requestLog(shared.log, () => undefined);
  const unknownHost = express().disable('x-powered-by').disable('etag').use(
    securityHeaders,
    () => { throw new ProblemError('not-found', { detail: NO_SITE }); },
    problemResponse((_problem, req) => {
      const host = plainText(req.headers.host ?? '', 100);
      shared.log[isToReport(host) ? 'warn' : 'debug'](
        { request_id: contextOf(req).id, host, setting: 'sites' }, 'no site has the host name of a request: its response is 404',
      );
    }, () => false),
  );
  const open = resources.move();
  const close = () => open.disposeAsync();
  return {
    sites,
    router: configs[0].siteHost === undefined ? anySite.router : router,
    metrics: () => shared.metrics.text(),
    markUnready(): void { for (const site of sites) site.markUnready(); },
    drain: async (): Promise<void> => { await Promise.all(sites.map((site) => site.drain())); },
    close,
    [Symbol.asyncDispose]: close,
  };

  function router(...[req, res]: Parameters<Handler>): void {
    const given = req.headers.host ?? '';
    const site = HOST.test(given) ? byHost.get(URL.parse(`http://${given}`)?.hostname.replace(/\.$/, '')) : undefined;
    if (site) return site.router(req, res);
    // Probes name the address of the process.
    const health = healthPathOf(req.url ?? '');
    if (health !== undefined) {
      req.url = health;
      return anySite.router(req, res);
    }
    logRequest(req, res, unknownRoute);
    unknownHost(req, res);
  }

  function isToReport(host: string): boolean {
    reported.purgeStale();
    if (reported.has(host) || reported.size === MAX_REPORTS) return false;
    reported.set(host, true);
    return true;
  }
}
