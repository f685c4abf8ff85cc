/** `vestibule serve`: the BFF as a process. It listens once the store is open, and exits after the requests in flight. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/load.ts';
import { proxyFor } from '../lib/proxy.ts';
import { createLog, warnEach } from '../log.ts';
import { METRICS_MEDIA_TYPE } from '../metrics.ts';
import type { OpenVestibule } from '../vestibule.ts';
import { CommandError, exitStatus, openConfigured, type CommandContext } from './command.ts';

/** Each starts an orderly stop. */
const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

type EndSignal = typeof endSignals[number];

/** Signals within this time of the first one count as one, in ms: npx and systemd pass on what the process group received
 *  already, and the end of a terminal causes several. */
const REPEAT_MS = 1_000;

/** Longer than load balancers keep idle connections, so that these close them first and no request crosses with a close: Google's
 *  keeps them for 600 s and has no setting for it. */
const KEEP_ALIVE_MS = 620_000;

/** How long a stop waits for the first request of a connection that was just accepted, in ms. */
const FIRST_REQUEST_MS = 1_000;

/** How long open handles may delay the exit after an orderly stop, in ms. */
const EXIT_TIMEOUT_MS = 1_000;

/** Serves until a signal. @returns the exit status @throws {ConfigError | CommandError} */
export async function serve({ environment }: CommandContext): Promise<number> {
  const config = await readConfig(environment);
  const { host, port, adminPort } = config;
  const log = createLog(config.logLevel, standardOutput());
  const end = Promise.race([endSignal(log), fault(log)]);
  await using vestibule = await openConfigured(config, log);
  using metricsServer = createMetricsServer(vestibule, log);
  if (adminPort !== undefined) await listen(metricsServer, '127.0.0.1', adminPort, 'VESTIBULE_ADMIN_PORT');
  const server = createServer({
    requestTimeout: config.requestTimeoutMs,
    headersTimeout: Math.min(config.requestTimeoutMs, 10_000),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: 16 * 1024,
    connectionsCheckingInterval: 1_000,
  }, vestibule.router);
  server.maxConnections = config.maxConnections;
  respondToClientErrors(server, log);
  // A client that stops reading; longer than any request.
  server.setTimeout(Math.max(60_000, 2 * (config.serviceTimeoutMs + config.hookTimeoutMs)));
  const address = await listen(server, host, port, 'PORT');
  const proxy = proxyFor(config.serviceUrl);
  log.info({
    host: address.address, port: address.port, public_url: config.publicUrl, store: config.store.split(':')[0],
    ...(proxy && { proxy: `${proxy.url.protocol}//${proxy.url.host}`, no_proxy: proxy.exceptions }),
  }, 'listening');
  const signal = await end;
  log.info({ signal }, 'draining');
  await drain(vestibule, server, config, log);
  const status = signal === undefined ? exitStatus.failure : exitStatus.ok;
  setTimeout(() => { process.exit(status); }, EXIT_TIMEOUT_MS).unref();
  // Without it Node.js takes the handlers of signals away first, and a repeated signal ends the process by itself.
  process.once('beforeExit', () => { process.exit(status); });
  await vestibule.close();
  log.info('stopped');
  return status;
}

/** By the code of the error; otherwise 400. */
const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout', HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
};

/** Responds to what Node.js cannot parse, and logs it once a minute. A connection on which nothing has come within the limit is
 *  closed without a response: a proxy that opened it in advance would take a 408 for the answer to a request that crosses it. */
function respondToClientErrors(server: Server, log: Logger): void {
  const warn = warnEach(log, 60_000);
  server.on('clientError', ({ code = '', rawPacket }: Error & { code?: string; rawPacket?: Buffer }, socket: Socket) => {
    if (rawPacket) warn({ code, setting: 'the proxy: HTTP/1.1 towards the server' }, 'a request was refused: it is not HTTP/1.1, or its head is too large');
    if (!socket.writable || socket.bytesRead === 0) return void socket.destroy();
    socket.end(`HTTP/1.1 ${CLIENT_ERRORS[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
  });
}

/** Waits for `drainTimeoutMs` at most in all, also for posts and sign-ins whose readers disconnected. Then connections without a
 *  request are cut, such as those that browsers open in advance. */
async function drain(vestibule: OpenVestibule, server: Server, config: Config, log: Logger): Promise<void> {
  vestibule.markUnready();
  server.prependListener('request', (_req, res) => { res.setHeader('Connection', 'close'); });
  await pause(config.drainDelayMs);
  const closed = once(server, 'close');
  server.close();
  const firstRequests = Promise.race([closed, pause(FIRST_REQUEST_MS, undefined, { ref: false })]);
  const work = firstRequests.then(() => vestibule.drain()).then(() => true);
  const isFinished = await Promise.race([work, pause(config.drainTimeoutMs, false, { ref: false })]);
  if (!isFinished) log.warn('requests were cut off');
  server.closeAllConnections();
}

/** JSON; on a terminal, lines for people. Lines that do not fit into the buffer of a full or slow destination are dropped. */
function standardOutput(): DestinationStream {
  if (process.stdout.isTTY) return pretty({ singleLine: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', sync: true });
  // The next flush repeats a write that failed. With `sync: false` pino's flush at the exit would repeat it forever.
  const options = { minLength: 4_096, maxLength: 256 * 1024, periodicFlush: 100, sync: true, retryEAGAIN: () => false };
  const stream = pino.destination(options);
  stream.on('error', () => undefined);
  process.once('exit', () => { stream.end(); });
  return stream;
}

/** `GET /metrics` for a Prometheus on this machine, with the metrics of the process: a listener of its own on loopback. */
function createMetricsServer(vestibule: OpenVestibule, log: Logger) {
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  const server = createServer((req, res) => {
    if (req.url !== '/metrics') return void res.writeHead(404).end();
    void Promise.all([vestibule.metrics(), ofProcess.metrics()])
      .then((texts) => { res.writeHead(200, { 'Content-Type': METRICS_MEDIA_TYPE }).end(texts.join('\n')); })
      .catch((err: unknown) => {
        log.error({ err }, 'the metrics cannot be collected');
        res.writeHead(500).end();
      });
  });
  return Object.assign(server, { [Symbol.dispose]: () => { server.close().closeAllConnections(); } });
}

async function listen(server: Server, host: string, port: number, setting: string): Promise<AddressInfo> {
  server.listen({ port, host });
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    const name = `${host}:${port}`;
    if (code === 'EADDRINUSE') throw new CommandError(`${setting}: ${name} is taken by another process.`, exitStatus.unavailable);
    const culprit = code === 'EACCES' ? setting : 'HOST';
    throw new CommandError(`${culprit}: this process cannot listen on ${name} (${code}).`, exitStatus.config);
  });
  return server.address() as AddressInfo;
}

/** Resolves with the first signal. A later one of the keyboard exits at once; a later one of a supervisor has no effect. */
function endSignal(log: Logger): Promise<EndSignal> {
  const { promise, resolve } = Promise.withResolvers<EndSignal>();
  let firstAt: number | undefined;
  const onSignal = (signal: EndSignal): void => {
    firstAt ??= performance.now();
    resolve(signal);
    if (performance.now() - firstAt < REPEAT_MS || (signal !== 'SIGINT' && signal !== 'SIGQUIT')) return;
    log.warn({ signal }, 'exiting at once');
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of endSignals) process.on(signal, onSignal);
  return promise;
}

/** Resolves with the first rejection that nothing handles, such as of a promise that a hook did not await: the process drains and
 *  ends. After an uncaught exception the state is unknown: logs it and exits at once. */
function fault(log: Logger): Promise<undefined> {
  process.on('uncaughtException', (err, origin) => {
    log.fatal({ err, origin }, 'crashed');
    process.exit(exitStatus.failure);
  });
  return new Promise((resolve) => {
    process.on('unhandledRejection', (err) => {
      log.fatal({ err, setting: 'VESTIBULE_CONFIG' }, 'a promise was rejected and nothing handled it: the process drains and ends');
      resolve(undefined);
    });
  });
}
