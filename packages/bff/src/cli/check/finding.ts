/** A result of `vestibule check`, with what to do about it. */

export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail';
  /** Name of the check. */
  readonly name: string;
  /** For the operator; contains no secret. */
  readonly message: string;
}

/** Creates findings of one check. `warn`: it works, but the operator should act. */
export function findingsOf(name: string) {
  const create = (status: Finding['status']) => (message: string): Finding => ({ status, name, message });
  return { ok: create('ok'), warn: create('warn'), fail: create('fail') };
}

export type Findings = ReturnType<typeof findingsOf>;

/** Formats a line of the report. */
export function lineOf({ status, name, message }: Finding): string {
  return `${status.padEnd(6)}${name.padEnd(16)} ${message}`;
}
