/** Parameters of each step's template: the view, a pure function of the state, and the actions. */

import type { WidgetProblem } from '../../client/problem.ts';
import type { ProblemStrings } from '../../locales/en-problems.ts';
import type { SyncStrings } from '../../locales/en-sync.ts';
import type { AnswerErrors } from '../answers.ts';
import type { ExitAction } from '../exit-actions.ts';
import type { SyncRequest, SyncState, SyncStep } from '../sync-state.ts';

export interface SyncViewContext {
  readonly words: SyncStrings;
  readonly commonProblems: ProblemStrings;
  /** BCP 47 tag of `words`. */
  readonly tag: string;
  /** 1 to 6. */
  readonly headingLevel: number;
  readonly exitActions: readonly ExitAction[];
  /** The forum is known, so the sign-in can be started again from here. */
  readonly canStartAgain: boolean;
}

export interface SyncView extends SyncViewContext {
  readonly step: SyncStep;
  readonly wait: SyncRequest['kind'] | undefined;
  /** Text of the status region. */
  readonly status: string;
  readonly isSlow: boolean;
  readonly problem: WidgetProblem | undefined;
  readonly isSuperseded: boolean;
  readonly errors: AnswerErrors;
  readonly isWindowStuck: boolean;
}

export interface SyncActions {
  retry(): void;
  start(): void;
  cancel(): void;
  acknowledge(): void;
  leaveNow(): void;
  startAgain(): void;
  submit(event: SubmitEvent): void;
  /** A control has changed. */
  edit(event: Event): void;
  focusField(id: string): void;
  closeWindow(): void;
  backToComments(): void;
}

export function toView({ step, request, message }: SyncState, context: SyncViewContext): SyncView {
  const { wait } = context.words;
  return {
    ...context,
    step,
    wait: request?.kind,
    status: request ? wait[request.isSlow ? 'slow' : request.kind] : '',
    isSlow: request?.isSlow ?? false,
    problem: message?.kind === 'problem' ? message.problem : undefined,
    isSuperseded: message?.kind === 'superseded',
    errors: message?.kind === 'answers' ? message.errors : new Map(),
    isWindowStuck: (step.name === 'ended' || step.name === 'failed') && step.isWindowStuck === true,
  };
}
