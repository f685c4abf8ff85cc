/** Loggers with an allow-list for errors. Libraries attach requests to their errors and quote values in messages: of foreign
 *  errors the log has name, code and stack frames. */

import { pathToFileURL } from 'node:url';
import { pino, type DestinationStream, type Logger } from 'pino';

export function createLog(level: string, destination: DestinationStream): Logger {
  return pino({ level, base: null, serializers: { err: serializeError } }, destination);
}

export function silentLog(): Logger {
  return pino({ level: 'silent' }, { write: () => undefined });
}

/** Logs each message at `warn` once in `intervalMs`; by default once. */
export function warnEach(log: Pick<Logger, 'warn'>, intervalMs = Infinity): (fields: object, message: string) => void {
  const loggedAt = new Map<string, number>();
  return (fields, message) => {
    const now = performance.now();
    if (now - (loggedAt.get(message) ?? -Infinity) < intervalMs) return;
    loggedAt.set(message, now);
    log.warn(fields, message);
  };
}

const MAX_CAUSES = 5;
const MAX_FRAMES = 12;

/** `file:` URL of our own code. A bundler may take the module's address away. */
const ownCode = typeof import.meta.dirname === 'string' ? `${pathToFileURL(import.meta.dirname).href}/` : undefined;

/** Errors of the engine quote values, as in `Cannot use 'in' operator to search for … in …`. */
const engineErrors = [TypeError, RangeError, SyntaxError, ReferenceError, URIError, EvalError];

/** Name, `code` such as `ECONNREFUSED` or `23505`, stack and cause of an error; the message of our own errors only. */
export function serializeError(error: unknown, causes = MAX_CAUSES): object {
  if (!(error instanceof Error)) return { type: typeof error, message: 'The thrown value is not an Error.' };
  const frames = framesOf(error);
  const isOurs = ownCode !== undefined && frames[0]?.includes(ownCode) && !engineErrors.some((kind) => error instanceof kind);
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: /^[A-Z]\w{0,63}$/.test(error.name) ? error.name : 'Error',
    ...(isOurs && { message: error.message }),
    ...((Number.isInteger(code) || (typeof code === 'string' && /^[A-Z\d][A-Z\d_]{2,47}$/.test(code))) && { code }),
    ...(frames.length > 0 && { stack: frames.join('\n') }),
    ...(error.cause !== undefined && causes > 0 && { cause: serializeError(error.cause, causes - 1) }),
  };
}

/** Lines of the stack with a position; the lines before them repeat the message, which may look like one. */
function framesOf({ message, stack }: Error): string[] {
  if (!stack?.includes(message)) return [];
  const lines = stack.slice(stack.indexOf(message) + message.length).split('\n');
  return lines.filter((line) => /^\s+at .*(?::\d+:\d+\)?|\(<anonymous>\)|\(native\))$/.test(line)).slice(0, MAX_FRAMES);
}
