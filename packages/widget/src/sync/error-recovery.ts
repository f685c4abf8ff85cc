/** Recovery from a failed request of a sign-in (contract, section 2). */

import type { BffError, WidgetProblemType } from '../client/problem.ts';

/** `retry`: the reader may send again. `recover`: an earlier response may have been lost; `GET /session` returns the present
 *  state. `confirm`: the reader confirms the user of the problem. `restart`: the reader must start the sign-in again. */
export type ErrorRecovery = 'retry' | 'recover' | 'confirm' | 'restart';

/** Includes `internal-error`: if the BFF has used the code, the next response is `code-already-used`. */
const repeatable: readonly WidgetProblemType[] = ['invalid-answers', 'payload-too-large', 'internal-error'];

const recoverable: readonly WidgetProblemType[] = ['no-sync-in-progress', 'code-already-used', 'outcome-unknown', 'not-signed-in'];

export function recoveryFor({ type, problem }: BffError): ErrorRecovery {
  if (problem.retryable || repeatable.includes(type)) return 'retry';
  if (type === 'user-changed') return 'confirm';
  return recoverable.includes(type) ? 'recover' : 'restart';
}
