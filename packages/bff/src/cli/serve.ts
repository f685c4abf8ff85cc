/** `vestibule serve`: the BFF as a process. It listens once the store is open, and exits after the requests in flight. */

import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import { createLog } from '../log.ts';
import { countLimited, countRefusal } from '../metrics/metrics.ts';
import { DrainingServer, type ConnectionLimit, type ServerLimits, type ServerReports } from '../server/draining-server.ts';
import { startMetricsServer } from '../server/metrics-server.ts';
import type { Vestibule, VestibuleProcess } from '../vestibule.ts';
import { logLocalFindings } from './check/check.ts';
import { exitStatus } from './command.ts';
import { listen, listenError } from './listen.ts';
import { standardOutput } from './log-output.ts';
import { openVestibule } from './open-vestibule.ts';
import { endOnFault, endSignal, exitSoon } from './signals.ts';

/** Where to look, by the status of a response to what is no complete HTTP request. 431 concerns readers. */
const refusalSettings: Readonly<Record<number, string>> = {
  400: 'the client or the proxy, which may speak TLS to this port',
  408: 'VESTIBULE_REQUEST_TIMEOUT_MS, or a client that completes no request',
  431: 'the cookies of the site: the head of a request exceeds 16 KiB',
};

/** Behind a proxy, all connections come from one address. */
const ADDRESS_SETTINGS = 'VESTIBULE_MAX_CONNECTIONS_PER_ADDRESS, or VESTIBULE_TRUST_PROXY behind a proxy';

/** Serves until a signal. @returns the exit status @throws {ConfigError | CommandError} */
export async function serve(): Promise<number> {
  const config = await loadConfig();
  const log = createLog(config.logLevel, standardOutput());
  const signal = endSignal(log);
  const fault = endOnFault(log);
  const vestibule = await openVestibule(config, log);
  let metricsServer: Server | undefined;
  let status: number;
  try {
    metricsServer = await startMetrics(config, vestibule);
    const server = new DrainingServer(vestibule.router, limitsOf(config), reportsTo(log));
    const { address, port } = await listen(server.http, config.host, config.port);
    log.info({ host: address, port, store: config.store.split(':')[0] }, 'listening');
    logLocalFindings(config, log);
    const end = await Promise.race([signal, fault]);
    log.info({ ...(end !== 'fault' && { signal: end }) }, 'draining');
    await drain(vestibule, server, config, log);
    status = end === 'fault' ? exitStatus.failure : exitStatus.ok;
    exitSoon(status);
  } finally {
    metricsServer?.close().closeAllConnections();
    await vestibule.close();
  }
  log.info('stopped');
  return status;
}

/** Counts what is no complete HTTP request, and connections beyond a limit. Logs each status and limit once a minute at most: a
 *  client may send thousands. */
function reportsTo(log: Logger): ServerReports {
  const loggedAt = new Map<number | ConnectionLimit, number>();
  const report = (level: 'info' | 'warn', kind: number | ConnectionLimit, fields: object, message: string) => {
    const now = performance.now();
    if (now - (loggedAt.get(kind) ?? -Infinity) < 60_000) return;
    loggedAt.set(kind, now);
    log[level](fields, `${message}; logged once a minute`);
  };
  return {
    refused: (status) => {
      countRefusal(status);
      report(status === 431 ? 'warn' : 'info', status, { status, setting: refusalSettings[status] }, 'a request was incomplete or no HTTP');
    },
    limited: (limit) => {
      countLimited(limit);
      const setting = limit === 'all' ? 'VESTIBULE_MAX_CONNECTIONS' : ADDRESS_SETTINGS;
      report('warn', limit, { limit, setting }, 'a connection exceeds a limit');
    },
  };
}

/** All connections of a proxy come from one address. */
function limitsOf(config: Config): ServerLimits {
  return config.trustProxy === false ? config : { ...config, maxConnectionsPerAddress: Infinity };
}

/** Posts and sign-ins whose readers disconnected are finished too, and their outcomes stored unless the store is down. */
async function drain(vestibule: VestibuleProcess, server: DrainingServer, config: Config, log: Logger): Promise<void> {
  vestibule.markUnready();
  server.endConnections();
  await pause(config.drainDelayMs);
  const endsAt = performance.now() + config.drainTimeoutMs;
  const requests = await server.drain(config.drainTimeoutMs);
  if (requests > 0) log.warn({ requests }, 'requests were cut off');
  await Promise.race([vestibule.drain(), pause(endsAt - performance.now(), undefined, { ref: false })]);
}

async function startMetrics({ adminPort }: Config, vestibule: Vestibule): Promise<Server | undefined> {
  return adminPort === undefined ? undefined : startMetricsServer(adminPort, () => vestibule.metrics())
    .catch((error: unknown) => { throw listenError(error, `VESTIBULE_ADMIN_PORT: 127.0.0.1:${adminPort}`); });
}
