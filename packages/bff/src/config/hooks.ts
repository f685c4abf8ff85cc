/** The publisher's own code in a sync. Each hook has `hookTimeoutMs` to settle; one that fails or hangs leaves the reader
 *  able to try again and the code unspent. */

import type { AnswerValue, User } from '@vestibule/shared';
import type { SignedRequests } from '../service/signed-requests.ts';

export interface HookContext {
  /** As the return to the publisher named the user: the token exchange, which proves it, comes after the hooks. */
  readonly user: User;
  /** Checked against the fields; an unanswered optional field is absent. */
  readonly answers: Readonly<Record<string, AnswerValue>>;
  readonly forum: string;
  /** Any signed call to the service. */
  readonly service: SignedRequests;
  /** Aborted when the hook's time is over. */
  readonly signal: AbortSignal;
}

export type Verdict =
  | { readonly ok: true }
  /** The reader may correct the named fields. */
  | { readonly ok: false; readonly retry: true; readonly fields: Readonly<Record<string, string>> }
  /** The sync ends with `success=0`; the reason is shown to the reader as text. */
  | { readonly ok: false; readonly retry?: false; readonly reason?: string };

export interface ValidationHooks {
  readonly validate: (context: HookContext) => Verdict | Promise<Verdict>;
  /** Must settle before the reader is told `accepted`. May run again where the service was down after it: make it idempotent. */
  readonly onAccepted: (context: HookContext) => void | Promise<void>;
}
