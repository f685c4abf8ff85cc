/** What a check found, and what to do about it. */

export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail';
  /** Of the check. */
  readonly name: string;
  /** In words for the operator; no secret value. */
  readonly words: string;
}

/** Findings of one check by their words. */
export interface Findings {
  ok(words: string): Finding;
  /** Works, with a danger that the operator should know. */
  warn(words: string): Finding;
  fail(words: string): Finding;
}

export function findingsOf(name: string): Findings {
  return {
    ok: (words) => ({ status: 'ok', name, words }),
    warn: (words) => ({ status: 'warn', name, words }),
    fail: (words) => ({ status: 'fail', name, words }),
  };
}

/** One line of the report. */
export function lineOf({ status, name, words }: Finding): string {
  return `${status.padEnd(6)}${name.padEnd(16)} ${words}`;
}
