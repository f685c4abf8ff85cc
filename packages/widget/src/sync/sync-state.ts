/** State of the validation (interface, section 3, steps 3 to 6). One step is on the screen at a time. */

import type { FormField, SessionState, SyncOutcome, SyncReturn, User } from '@vestibule/shared';
import type { WidgetProblem } from '../client/problem.ts';
import type { AnswerOwner } from './answer-storage.ts';
import type { AnswerErrors, RawAnswers } from './answers.ts';

/**
 * | step | entered when | left when |
 * | --- | --- | --- |
 * | `loading` | there is no callback: `GET /session` is requested | the BFF responds |
 * | `unavailable` | it could not be requested | the reader tries again |
 * | `confirm` | there is a callback; nothing has been sent | the reader continues or cancels |
 * | `questions` | the BFF offers a sign-in | the reader's answers are accepted or refused, or they cancel |
 * | `rejected` | the publisher rejected the reader | the reader has read why |
 * | `leaving` | the sign-in is decided; the browser navigates to the completion URL, or waits for the reader's click | |
 * | `ended` | nothing is left to send from this window | |
 * | `failed` | the sign-in cannot be continued | the reader begins again |
 */
export type SyncStep =
  | { readonly name: 'loading' }
  | { readonly name: 'unavailable' }
  | ConfirmStep
  | QuestionsStep
  | { readonly name: 'rejected'; readonly outcome: SyncOutcome; readonly user: User }
  | LeavingStep
  | { readonly name: 'ended'; readonly ending: SyncEnding; readonly user?: User | undefined; readonly instance?: string | undefined; readonly isWindowStuck?: boolean }
  | { readonly name: 'failed'; readonly problem: WidgetProblem; readonly isWindowStuck?: boolean };

/** The reader sees who would be signed in. */
export interface ConfirmStep {
  readonly name: 'confirm';
  readonly user: User;
  readonly syncReturn: SyncReturn;
}

/** Without questions the BFF waits for the reader's click only. */
export interface QuestionsStep {
  readonly name: 'questions';
  /** `id` of the offered sign-in. */
  readonly sync: string;
  readonly user: User;
  /** State of the session beside the offer; it remains if the sign-in fails. */
  readonly session: SessionState;
  readonly fields: readonly FormField[];
  /** Initial values of the controls. */
  readonly initial: RawAnswers;
  readonly owner: AnswerOwner;
}

export interface LeavingStep {
  readonly name: 'leaving';
  readonly outcome: SyncOutcome;
  readonly user: User;
  /** Who navigates: the browser at once, the page that cancelled the event, or the browser at the reader's click. */
  readonly by: 'browser' | 'page' | 'reader';
}

export type SyncEnding =
  /** The reader denied access at the service, or the service refused it. */
  | 'declined'
  | 'rejected'
  | 'already-granted'
  /** By the reader, here. */
  | 'cancelled'
  | 'signed-in'
  /** Nobody is signing in. */
  | 'nothing-to-do'
  /** The address carried part of a callback. */
  | 'invalid-return';

/** The request in flight. */
export interface SyncRequest {
  readonly kind: 'asking' | 'starting' | 'sending' | 'cancelling';
  /** It takes longer than usual. */
  readonly isSlow: boolean;
}

/** Shown with the step until the reader acts. */
export type SyncMessage =
  /** The last request failed; the reader may try again. */
  | { readonly kind: 'problem'; readonly problem: WidgetProblem }
  /** The offered sign-in has replaced the one that the reader began with. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'answers'; readonly errors: AnswerErrors };

export interface SyncState {
  readonly step: SyncStep;
  readonly request: SyncRequest | undefined;
  readonly message: SyncMessage | undefined;
}
