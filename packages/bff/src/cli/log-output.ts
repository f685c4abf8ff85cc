/**
 * Standard output as the destination of the log: readable on a terminal if `pino-pretty` is installed, otherwise JSON through
 * a buffer. A destination that is full, slow or closed never blocks the event loop and delays the exit by at most half
 * a second; lines that do not fit into the buffer are dropped and counted.
 */

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
  return prettyStream() ?? bufferedStream();
}

/** The stream that pino uses, in a version whose `flushSync` ends when a write fails. */
function bufferedStream(): DestinationStream {
  let retries = 0;
  const stream = new sonicBoom.SonicBoom({
    // Node.js makes a pipe or socket non-blocking when it opens `process.stdout`. A blocking write to a full pipe would
    // occupy a thread of the pool and keep the process from exiting.
    fd: process.stdout.fd,
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

type PinoPretty = (options: Readonly<Record<'sync' | 'singleLine', boolean> & Record<'translateTime', string>>) => DestinationStream;

function prettyStream(): DestinationStream | undefined {
  if (!process.stdout.isTTY) return undefined;
  try {
    const pretty = createRequire(import.meta.url)('pino-pretty') as PinoPretty;
    return pretty({ sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  } catch {
    return undefined;
  }
}
