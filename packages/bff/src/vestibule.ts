/** The BFF as a library: an instance for a host application. */

import { parseConfig, type VestibuleConfig } from './config/config.ts';
import { proxyFaults } from './lib/proxy.ts';
import type { Overrides } from './shared-parts.ts';
import type { Instance } from './site.ts';
import { openSites } from './sites.ts';

/** An instance of the BFF. */
export interface Vestibule extends Instance, AsyncDisposable {
  /** The metrics in the Prometheus text format. */
  metrics(): Promise<string>;
  /** Closes the connections to the service and the store. Call it after `drain()` and after the server has closed. */
  close(): Promise<void>;
}

/**
 * Creates an instance and opens its store.
 * @throws {ConfigError} with every fault
 * @throws {Error} if the store cannot be opened
 */
export async function createVestibule(config: VestibuleConfig, overrides: Overrides = {}): Promise<Vestibule> {
  await using resources = new AsyncDisposableStack();
  resources.use(overrides.store);
  const parsed = parseConfig(config, undefined, overrides.dispatcher ? [] : proxyFaults());
  resources.move();
  const { sites: [site], metrics, close } = await openSites([parsed], overrides);
  const { router, service, profiles, listPosts, getSession, drain } = site;
  return { router, service, profiles, listPosts, getSession, metrics, drain, close, [Symbol.asyncDispose]: close };
}
