/**
 * Standard output as the destination of the log: readable on a terminal if `pino-pretty` is installed, otherwise JSON. Both go
 * through a buffer: a destination that is full, slow, closed or stopped (Control-S) never blocks the event loop and delays the
 * exit by at most half a second; lines that do not fit into the buffer are dropped and counted.
 */

import { constants, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { DestinationStream } from 'pino';
import sonicBoom from 'sonic-boom';
import { countLostLogLine } from '../metrics/metrics.ts';

/** Bytes that are written at once. */
const MIN_WRITE_BYTES = 4_096;

/** How long a line waits for others, in ms. */
const FLUSH_INTERVAL_MS = 100;

/** Bytes that wait for a slow destination. */
const MAX_BUFFER_BYTES = 256 * 1024;

/** Attempts, 100 ms apart, to write to a destination that is full for the moment. */
const MAX_WRITE_RETRIES = 5;

/** Call it once per process. */
export function standardOutput(): DestinationStream {
  const stream = bufferedStream();
  const format = process.stdout.isTTY ? prettyFormat() : undefined;
  return format ? { write: (line) => { stream.write(format(line)); } } : stream;
}

/** The stream that pino uses, in a version whose `flushSync` ends when a write fails. */
function bufferedStream(): DestinationStream {
  let retries = 0;
  const stream = new sonicBoom.SonicBoom({
    fd: nonBlockingOutput(),
    minLength: MIN_WRITE_BYTES,
    maxLength: MAX_BUFFER_BYTES,
    periodicFlush: FLUSH_INTERVAL_MS,
    retryEAGAIN: () => (retries += 1) <= MAX_WRITE_RETRIES,
  });
  stream.on('write', () => { retries = 0; });
  stream.on('drop', countLostLogLine);
  // A write that failed stays in the buffer; the next flush repeats it.
  stream.on('error', () => undefined);
  process.once('exit', () => {
    try {
      stream.flushSync();
    } catch {}
  });
  return stream;
}

/** A blocking write to a full pipe or a stopped terminal would occupy a thread of the pool and keep the process from exiting.
 *  Node.js makes a pipe or socket non-blocking when it opens `process.stdout`, but a terminal blocking: it is opened again, which
 *  would fail for a socket (ENXIO). */
function nonBlockingOutput(): number {
  const { isTTY, fd } = process.stdout;
  if (!isTTY) return fd;
  try {
    return openSync('/dev/stdout', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return fd;
  }
}

interface PinoPretty {
  prettyFactory(options: Readonly<{ singleLine: boolean; translateTime: string }>): (line: string) => string;
}

/** `undefined` without `pino-pretty`. */
function prettyFormat(): ((line: string) => string) | undefined {
  try {
    const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as PinoPretty;
    return prettyFactory({ singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  } catch {
    return undefined;
  }
}
