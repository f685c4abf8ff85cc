/** Where the reader stands in the validation (interface, section 3, steps 3 to 6). One step is on the screen at a time. */

import type { FormField, SessionState, SyncOutcome, SyncReturn, User } from '@vestibule/shared';
import type { WidgetProblem } from '../../api/problem.ts';
import type { AnswerOwner } from './answer-keep.ts';
import type { RawAnswers } from './answers.ts';

export type SyncStep =
  /** `GET /session` is asked; `again` after it could not be. */
  | { readonly name: 'loading'; readonly again?: true }
  | ConfirmStep
  | QuestionsStep
  | LeavingStep
  /** The reader reads why, then goes on to the completion URL. */
  | { readonly name: 'rejected'; readonly outcome: SyncOutcome; readonly user: User }
  /** Over in this window; nothing is left to send. */
  | { readonly name: 'ended'; readonly ending: SyncEnding; readonly user: User | undefined }
  /** The sync cannot be carried on and must be begun again. */
  | { readonly name: 'failed'; readonly problem: WidgetProblem };

/** A return is in hand and nothing has been sent: the reader sees who would be signed in. */
export interface ConfirmStep {
  readonly name: 'confirm';
  readonly user: User;
  readonly syncReturn: SyncReturn;
}

/** The BFF holds the return and waits for the answers. Without questions the reader's going on is all it waits for. */
export interface QuestionsStep {
  readonly name: 'questions';
  /** `id` of the offered sign-in. */
  readonly sync: string;
  readonly user: User;
  /** State of the session beside the offer: what remains where the sign-in comes to nothing. */
  readonly session: SessionState;
  readonly fields: readonly FormField[];
  /** What the controls begin with. */
  readonly initial: RawAnswers;
  readonly owner: AnswerOwner;
}

/** The browser is on its way to the completion URL. */
export interface LeavingStep {
  readonly name: 'leaving';
  readonly outcome: SyncOutcome;
  readonly user: User;
}

export type SyncEnding =
  /** The reader denied access at the service. */
  | 'declined'
  | 'rejected'
  | 'already-granted'
  /** By the reader, here. */
  | 'cancelled'
  | 'signed-in'
  /** Nobody is signing in. */
  | 'nothing-to-do'
  /** The address carried part of a return. */
  | 'invalid-return';

/** What the element waits for. */
export type SyncWait = 'asking' | 'starting' | 'sending' | 'cancelling';
