/** What a failed request means for the sync that is under way (contract, section 2). */

import type { BffError, WidgetProblemType } from '../../client/problem.ts';

/** `retry`: the reader may send again, the same or another answer. `recover`: the answer to an earlier request may have
 *  been lost, and `GET /session` says what became of the sync. `confirm`: the reader confirms the user that the problem names.
 *  `restart`: the sync is over and must be begun again. */
export type ErrorRecovery = 'retry' | 'recover' | 'confirm' | 'restart';

/** What the reader can mend, and a fault of the BFF's: where it spent the code after all, it says so the next time. */
const repeatable: readonly WidgetProblemType[] = ['invalid-answers', 'payload-too-large', 'internal-error'];

const recoverable: readonly WidgetProblemType[] = ['no-sync-in-progress', 'code-already-used', 'outcome-unknown', 'not-signed-in'];

export function recoveryFor({ type, problem }: BffError): ErrorRecovery {
  if (problem.retryable || repeatable.includes(type)) return 'retry';
  if (type === 'user-changed') return 'confirm';
  return recoverable.includes(type) ? 'recover' : 'restart';
}
