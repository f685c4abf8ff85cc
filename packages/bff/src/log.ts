/** The log: JSON, one line an event, for people where a terminal is and `pino-pretty` is installed. Fields come from lists
 *  of allowed words; errors are told by `log-error.ts`. */

import { createRequire } from 'node:module';
import { pino, type DestinationStream, type Logger } from 'pino';
import { serializeError } from './log-error.ts';

export function createLog(level: string, destination: DestinationStream = prettyStream() ?? standardOutput()): Logger {
  return pino({ level, base: null, serializers: { err: serializeError } }, destination);
}

/** No request waits for its line to be written; what is left is written when the process exits. */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false });
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
