/** The log: JSON, one line an event, for people where a terminal is and `pino-pretty` is installed. Fields come from lists
 *  of allowed words; errors are told by `log-error.ts`. */

import { createRequire } from 'node:module';
import { pino, type DestinationStream, type Logger } from 'pino';
import { serializeError } from './log-error.ts';

export function createLog(level: string, destination: DestinationStream = prettyStream() ?? standardOutput()): Logger {
  return pino({ level, base: null, serializers: { err: serializeError } }, destination);
}

/** For so long a line waits for others: under load, one write carries many of them. */
const GATHERING_MS = 20;

/** Lines of more bytes are written at once. */
const GATHERED_BYTES = 4_096;

/** No request waits for its line to be written; what is left is written when the process exits. */
function standardOutput(): DestinationStream & { flushSync(): void } {
  const output = pino.destination({ dest: 1, sync: false, minLength: GATHERED_BYTES });
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    output.flush();
  };
  return {
    write(line) {
      output.write(line);
      timer ??= setTimeout(flush, GATHERING_MS);
    },
    flushSync: () => { output.flushSync(); },
  };
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
