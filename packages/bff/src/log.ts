/** Loggers with an allow-list for errors (`log-error.ts`). */

import { pino, type DestinationStream, type Logger } from 'pino';
import { serializeError } from './log-error.ts';

/** JSON, one line per event. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino({ level, base: null, serializers: { err: serializeError } }, destination);
}

/** A logger that writes nothing. */
export function silentLog(): Logger {
  return pino({ level: 'silent' }, { write: () => undefined });
}
