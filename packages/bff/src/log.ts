/** The log: JSON, one line an event, for people where a terminal is and `pino-pretty` is installed. Fields come from lists
 *  of allowed words; errors are told by `log-error.ts`. */

import { createRequire } from 'node:module';
import { pino, type DestinationStream, type Logger } from 'pino';
import { serializeError } from './log-error.ts';

export function createLog(level: string, destination: DestinationStream = prettyStream() ?? standardOutput()): Logger {
  return pino({ level, base: null, serializers: { err: serializeError } }, destination);
}

/** A logger that writes nothing. */
export function silentLog(): Logger {
  return pino({ level: 'silent' }, { write: () => undefined });
}

/** For so long a line waits for others: under load, one write carries many of them. */
const GATHERING_MS = 20;

/** So many do not wait. */
const GATHERED_LINES = 64;

let output: DestinationStream | undefined;

/** The process's one, whatever number of logs it has. No request waits for its line to be written; what is left is written
 *  when the process exits. */
function standardOutput(): DestinationStream {
  return output ??= gathered(pino.destination({ dest: 1, sync: false, minLength: 1 }));
}

function gathered(destination: ReturnType<typeof pino.destination>): DestinationStream {
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const hand = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length > 0) destination.write(lines.join(''));
    lines = [];
  };
  process.once('exit', () => { if (lines.length > 0) pino.destination({ dest: 1, sync: true }).write(lines.join('')); });
  return {
    write(line) {
      lines.push(line);
      if (lines.length >= GATHERED_LINES) hand();
      else timer ??= setTimeout(hand, GATHERING_MS);
    },
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
