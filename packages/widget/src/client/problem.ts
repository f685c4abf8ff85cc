/** Problems that the elements report: the BFF's (RFC 9457), and the client's own. */

import { PROBLEM_TYPE_PREFIX, type Problem, type ProblemType } from '@vestibule/shared';

/** `network`: no connection, a timeout, or a response that is not the BFF's (a proxy's page, a captive portal). `firewall`: such
 *  a response with status 403. */
export type WidgetProblemType = ProblemType | 'network' | 'firewall';

/** The problem of a `vestibule-error`. */
export interface WidgetProblem extends Omit<Problem, 'type'> {
  readonly type: `${typeof PROBLEM_TYPE_PREFIX}${WidgetProblemType}`;
}

/** Every failure of a request to the BFF. Its message contains the problem's type and nothing of the request. */
export class BffError extends Error {
  override readonly name = 'BffError';
  readonly problem: WidgetProblem;
  /** Of `Retry-After`. */
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

/** Whether `value` has the members of a problem of the contract. */
export function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null) return false;
  const { type, title, status, detail, retryable } = value as Record<string, unknown>;
  return typeof type === 'string' && type.startsWith(PROBLEM_TYPE_PREFIX) && typeof title === 'string'
    && typeof status === 'number' && typeof detail === 'string' && typeof retryable === 'boolean';
}
