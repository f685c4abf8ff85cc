/** `vestibule serve`: the BFF as a process. It listens once the store is open, and exits after the requests in flight. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { DestinationStream, Logger } from 'pino';
import pretty from 'pino-pretty';
import sonic from 'sonic-boom';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { proxyFor } from '../lib/proxy.ts';
import { createLog } from '../log.ts';
import { METRICS_MEDIA_TYPE } from '../metrics.ts';
import type { VestibuleProcess } from '../vestibule.ts';
import { logLocalFindings } from './check.ts';
import { CommandError, exitStatus, openVestibule } from './command.ts';

type EndSignal = 'SIGTERM' | 'SIGINT';

/** The same signal within this time counts once, in ms: npx and systemd pass on what the process group received already. */
const REPEAT_MS = 1_000;

/** How long open handles may delay the exit after an orderly stop, in ms. */
const EXIT_TIMEOUT_MS = 1_000;

/** Serves until a signal. @returns the exit status @throws {ConfigError | CommandError} */
export async function serve(): Promise<number> {
  const config = await loadConfig();
  const log = createLog(config.logLevel, standardOutput());
  const end = Promise.race([endSignal(log), fault(log)]);
  const vestibule = await openVestibule(config, log);
  let metricsServer: Server | undefined;
  try {
    metricsServer = config.adminPort === undefined ? undefined : await startMetrics(config.adminPort, vestibule);
    const server = createServer({
      requestTimeout: config.requestTimeoutMs,
      headersTimeout: Math.min(config.requestTimeoutMs, 10_000),
      keepAliveTimeout: 75_000,
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: 1_000,
    }, vestibule.router);
    server.maxConnections = config.maxConnections;
    server.setTimeout(60_000);
    const silent = withoutRequest(server);
    const { address, port } = await listen(server, config.host, config.port, `${config.host}:${config.port}`);
    const proxy = proxyFor(config.serviceUrl);
    log.info({ host: address, port, public_url: config.publicUrl, store: config.store.split(':')[0], ...(proxy !== undefined && { proxy }) }, 'listening');
    logLocalFindings(config, log);
    const reason = await end;
    log.info({ ...(reason !== 'fault' && { signal: reason }) }, 'draining');
    await drain(vestibule, server, silent, config, log);
    const status = reason === 'fault' ? exitStatus.failure : exitStatus.ok;
    setTimeout(() => { process.exit(status); }, EXIT_TIMEOUT_MS).unref();
    await vestibule.close();
    log.info('stopped');
    return status;
  } finally {
    metricsServer?.close().closeAllConnections();
    await vestibule.close();
  }
}

/** Posts and sign-ins whose readers disconnected are finished too. */
async function drain(
  vestibule: VestibuleProcess,
  server: Server,
  silent: ReadonlySet<Socket>,
  { drainDelayMs, drainTimeoutMs }: Config,
  log: Logger,
): Promise<void> {
  vestibule.markUnready();
  server.prependListener('request', (_req, res) => { res.setHeader('Connection', 'close'); });
  await pause(drainDelayMs);
  const closed = once(server, 'close');
  server.close();
  for (const socket of silent) socket.destroy();
  const timer = setTimeout(() => {
    log.warn('requests were cut off');
    server.closeAllConnections();
  }, drainTimeoutMs);
  await closed;
  clearTimeout(timer);
  await Promise.race([vestibule.drain(), pause(drainTimeoutMs, undefined, { ref: false })]);
}

/** Connections that have not sent a request yet; `server.close()` waits for them. */
function withoutRequest(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.prependListener('request', ({ socket }) => { sockets.delete(socket); });
  return sockets;
}

/** JSON; on a terminal, lines for people. A destination that is full or slow never blocks the event loop: lines that do not fit
 *  into the buffer are dropped. */
function standardOutput(): DestinationStream {
  if (process.stdout.isTTY) return pretty({ singleLine: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', sync: true });
  const options = { fd: 1, minLength: 4_096, maxLength: 256 * 1024, periodicFlush: 100, maxWriteRetries: 5 };
  const stream = new sonic.SonicBoom(options);
  // A write that failed stays in the buffer; the next flush repeats it.
  stream.on('error', () => undefined);
  process.once('exit', () => {
    try {
      stream.flushSync();
    } catch {}
  });
  return stream;
}

/** `GET /metrics` for a Prometheus on this machine: a listener of its own on loopback. */
async function startMetrics(port: number, vestibule: VestibuleProcess): Promise<Server> {
  const server = createServer((req, res) => {
    if (req.url !== '/metrics') res.writeHead(404).end();
    else if (req.method !== 'GET' && req.method !== 'HEAD') res.writeHead(405, { Allow: 'GET, HEAD' }).end();
    else vestibule.metrics().then((text) => { res.writeHead(200, { 'Content-Type': METRICS_MEDIA_TYPE }).end(text); }, () => { res.writeHead(500).end(); });
  });
  await listen(server, '127.0.0.1', port, `VESTIBULE_ADMIN_PORT: 127.0.0.1:${port}`);
  return server;
}

/** @param name the address in messages @throws {CommandError} */
async function listen(server: Server, host: string, port: number, name: string): Promise<AddressInfo> {
  server.listen({ port, host });
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    switch (error.code) {
      case 'EADDRINUSE': throw new CommandError(`${name} is taken by another process. End that one, or set another PORT.`, exitStatus.unavailable);
      case 'EACCES': throw new CommandError(`${name} may not be used by this user. Set a PORT above 1023, and a proxy before it.`, exitStatus.config);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND': throw new CommandError(`HOST: this machine has no address ${host}.`, exitStatus.config);
      default: throw error;
    }
  });
  return server.address() as AddressInfo;
}

/** Resolves with the first signal, which starts an orderly stop; a later one exits at once. */
function endSignal(log: Logger): Promise<EndSignal> {
  const { promise, resolve } = Promise.withResolvers<EndSignal>();
  let first: { readonly signal: EndSignal; readonly at: number } | undefined;
  const onSignal = (signal: EndSignal): void => {
    const now = performance.now();
    if (!first) {
      first = { signal, at: now };
      resolve(signal);
    } else if (signal !== first.signal || now - first.at >= REPEAT_MS) {
      log.warn({ signal }, 'exiting at once');
      process.exit(128 + constants.signals[signal]);
    }
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  process.on('SIGHUP', () => { log.info('SIGHUP is ignored: restart to apply other settings'); });
  return promise;
}

/** Resolves with the first rejection that nothing handles, such as of a promise that a hook did not await: the process drains and
 *  ends. After an uncaught exception the state is unknown: logs it and exits at once. */
function fault(log: Logger): Promise<'fault'> {
  const { promise, resolve } = Promise.withResolvers<'fault'>();
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'crashed');
    process.exit(exitStatus.failure);
  });
  process.on('unhandledRejection', (err) => {
    log.fatal({ err, origin: 'unhandledRejection', setting: 'VESTIBULE_CONFIG' }, 'a promise was rejected and nothing handled it: the process drains and ends');
    resolve('fault');
  });
  return promise;
}
