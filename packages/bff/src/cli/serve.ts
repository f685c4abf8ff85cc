/** `vestibule serve`: the BFF as a process of its own. It listens when the store is open, and ends when what is under way
 *  is answered. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import { createLog } from '../log.ts';
import { startMetricsServer } from '../metrics/metrics-server.ts';
import type { Vestibule, VestibuleProcess } from '../vestibule.ts';
import { DrainingServer } from './draining-server.ts';
import { exitStatus } from './exit-status.ts';
import { listen, listenError } from './listen.ts';
import { openVestibule } from './open-vestibule.ts';
import { endOnCrash, endSignal } from './signals.ts';

/** Serves until a signal. @returns the exit status @throws {ConfigError | CommandError} */
export async function serve(): Promise<number> {
  const config = await loadConfig();
  const log = createLog(config.logLevel);
  endOnCrash(log);
  const signal = endSignal(log);
  const vestibule = await openVestibule(config, log);
  try {
    await using _metrics = await serveMetrics(config, vestibule);
    const server = new DrainingServer(vestibule.router, config);
    const { address, port } = await listen(server.http, config.host, config.port);
    log.info({ host: address, port, store: config.store.split(':')[0] }, 'listening');
    log.info({ signal: await signal }, 'draining');
    await drain(vestibule, server, config, log);
  } finally {
    await vestibule.close();
  }
  log.info('stopped');
  return exitStatus.ok;
}

/** Posts whose readers have gone are finished too: their outcome is kept for when they come back. */
async function drain(vestibule: VestibuleProcess, server: DrainingServer, config: Config, log: Logger): Promise<void> {
  vestibule.markUnready();
  server.endConnections();
  await pause(config.drainDelayMs);
  const endsAt = performance.now() + config.drainTimeoutMs;
  const requests = await server.drain(config.drainTimeoutMs);
  if (requests > 0) log.warn({ requests }, 'requests were cut off');
  await Promise.race([vestibule.drain(), pause(endsAt - performance.now(), undefined, { ref: false })]);
}

async function serveMetrics({ adminPort }: Config, vestibule: Vestibule): Promise<AsyncDisposable | undefined> {
  if (adminPort === undefined) return undefined;
  try {
    return await startMetricsServer(adminPort, () => vestibule.metrics());
  } catch (error) {
    throw listenError(error, `VESTIBULE_ADMIN_PORT: 127.0.0.1:${adminPort}`);
  }
}
