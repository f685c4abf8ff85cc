/** The problem in which a post or a sign-in ended, as its record keeps it: every identical request gets the same one. */

import type { ProblemType } from '@vestibule/shared';
import { ProblemError } from './problem.ts';

export interface StoredProblem {
  readonly problem: ProblemType;
  readonly detail: string;
  /** Id of the request that failed: its line in the log has the cause. */
  readonly request_id: string;
}

export function storedProblem({ type, detail }: ProblemError, request_id: string): StoredProblem {
  return { problem: type, detail, request_id };
}

export function replayedProblem({ problem, detail, request_id }: StoredProblem): ProblemError {
  const reason = 'the stored failure of an earlier request';
  return new ProblemError(problem, {
    detail, replayed: true, diagnosis: { reason, setting: 'the line of the earlier request', first_request_id: request_id },
  });
}
