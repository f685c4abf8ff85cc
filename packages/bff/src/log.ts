/**
 * Loggers with an allow-list for errors. Libraries attach requests, headers and bodies to their errors and quote values in
 * messages. Our own messages contain no values, so the log has only these; of foreign errors it has name, code and stack frames.
 */

import { pathToFileURL } from 'node:url';
import { pino, type DestinationStream, type Logger } from 'pino';

export interface SerializedError {
  readonly type: string;
  /** Only of our own errors. */
  readonly message?: string;
  /** Of the system, of Node.js or of a library: `ECONNREFUSED`, `ERR_INVALID_URL`. */
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: SerializedError;
}

/** JSON, one line per event. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino({ level, base: null, serializers: { err: serializeError } }, destination);
}

/** A logger that writes nothing. */
export function silentLog(): Logger {
  return pino({ level: 'silent' }, { write: () => undefined });
}

/** How many causes are followed. */
const MAX_CAUSES = 5;

const MAX_FRAMES = 12;

/** `file:` URL of our own code. */
export const ownCode = `${pathToFileURL(import.meta.dirname).href}/`;

export function serializeError(error: unknown): SerializedError {
  try {
    return serialize(error, 0);
  } catch {
    // A getter of a foreign error threw.
    return { type: 'Error' };
  }
}

/** Errors of the engine quote values, as in `Cannot use 'in' operator to search for … in …`. */
const engineErrors = [TypeError, RangeError, SyntaxError, ReferenceError, URIError, EvalError];

function serialize(error: unknown, depth: number): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'The thrown value is not an Error.' };
  const frames = framesOf(error);
  const isOurs = frames[0]?.includes(ownCode) && !engineErrors.some((kind) => error instanceof kind);
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: /^[A-Z]\w{0,63}$/.test(error.name) ? error.name : 'Error',
    ...(isOurs && { message: error.message }),
    ...(typeof code === 'string' && /^[A-Z][A-Z\d_]{2,47}$/.test(code) && { code }),
    ...(frames.length > 0 && { stack: frames.join('\n') }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: serialize(error.cause, depth + 1) }),
  };
}

/** Lines of the stack with a position; the lines before them repeat the message, which may look like one. */
export function framesOf({ message, stack }: Error): string[] {
  if (typeof message !== 'string' || typeof stack !== 'string' || !stack.includes(message)) return [];
  const lines = stack.slice(stack.indexOf(message) + message.length).split('\n');
  return lines.filter((line) => /^\s+at .*(?::\d+:\d+\)?|\(<anonymous>\)|\(native\))$/.test(line)).slice(0, MAX_FRAMES);
}
