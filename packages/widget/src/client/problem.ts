/** What went wrong, as the elements meet it: the BFF's problems (RFC 9457), and one of the client's own for an answer
 *  that never came or is none of the BFF's. */

import { PROBLEM_TYPE_PREFIX, type Problem, type ProblemType } from '@vestibule/shared';

/** `network`: no connection, no answer in time, or an answer that is not the BFF's (a proxy's page, a captive portal). */
export type WidgetProblemType = ProblemType | 'network';

export interface WidgetProblem extends Omit<Problem, 'type'> {
  readonly type: `${typeof PROBLEM_TYPE_PREFIX}${WidgetProblemType}`;
}

/** Every failure of a request to the BFF. Its message names the problem's type and nothing that was sent. */
export class BffError extends Error {
  override readonly name = 'BffError';
  readonly problem: WidgetProblem;
  /** Seconds that the BFF asks to wait before another try. */
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: WidgetProblem, circumstances: { cause?: unknown; retryAfterSeconds?: number | undefined } = {}) {
    super(problem.type, { cause: circumstances.cause });
    this.problem = problem;
    this.retryAfterSeconds = circumstances.retryAfterSeconds;
  }

  /** The problem's name without its prefix. */
  get type(): WidgetProblemType {
    return this.problem.type.slice(PROBLEM_TYPE_PREFIX.length) as WidgetProblemType;
  }
}

/** Whether `value` is a problem of the contract: known prefix, words, a status and `retryable`. */
export function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { type, title, status, detail, retryable } = value as Record<string, unknown>;
  return typeof type === 'string' && type.startsWith(PROBLEM_TYPE_PREFIX) && typeof title === 'string'
    && typeof status === 'number' && typeof detail === 'string' && typeof retryable === 'boolean';
}
