/** A result of `vestibule check`, with what to do about it. */

export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail';
  /** Name of the check. */
  readonly name: string;
  /** For the operator; contains no secret. */
  readonly message: string;
}

/** Creates findings of one check. */
export interface Findings {
  ok(message: string): Finding;
  /** It works, but the operator should act. */
  warn(message: string): Finding;
  fail(message: string): Finding;
}

export function findingsOf(name: string): Findings {
  return {
    ok: (message) => ({ status: 'ok', name, message }),
    warn: (message) => ({ status: 'warn', name, message }),
    fail: (message) => ({ status: 'fail', name, message }),
  };
}

/** Formats a line of the report. */
export function lineOf({ status, name, message }: Finding): string {
  return `${status.padEnd(6)}${name.padEnd(16)} ${message}`;
}
