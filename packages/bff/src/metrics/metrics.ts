/** What an instance measures, in a registry of its own, as Prometheus reads it. Labels come from closed lists: no request
 *  and no reader can add a series. */

import { Registry } from 'prom-client';
import { PostMetrics } from './post-metrics.ts';
import { processRegistry } from './process-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';
import { ServiceMetrics } from './service-metrics.ts';
import { StoreMetrics } from './store-metrics.ts';
import { SyncMetrics } from './sync-metrics.ts';

/** `Content-Type` of the text. */
export const METRICS_MEDIA_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

export class Metrics {
  readonly #registry = new Registry();
  readonly requests = new RequestMetrics(this.#registry);
  readonly posts = new PostMetrics(this.#registry);
  readonly syncs = new SyncMetrics(this.#registry);
  readonly service = new ServiceMetrics(this.#registry);
  readonly store = new StoreMetrics(this.#registry);

  /** Those of the process included, which instances share. */
  text(): Promise<string> {
    return Registry.merge([this.#registry, processRegistry()]).metrics();
  }
}
