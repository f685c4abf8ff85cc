/** Context of the controllers of the comment box: the element, its phase, its draft and the session. */

import { BffError, type WidgetProblem } from '../client/problem.ts';
import { VestibuleErrorEvent } from '../events.ts';
import { lowerLimit, measureMessage, type MessageLength } from '../lib/message-length.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { DraftController } from './draft-controller.ts';
import type { PhaseMachine } from './phase-machine.ts';
import type { CommentsHost } from './second-stage.ts';

export interface CommentsContext {
  readonly host: CommentsHost;
  readonly machine: PhaseMachine;
  readonly drafts: DraftController;
  /** Session with the BFF of the element. Replaced when the element names another BFF. */
  store: SessionStore;
}

/** Length of the text in the field. */
export function messageLength({ host, store }: CommentsContext): MessageLength {
  return measureMessage(host.field.value, lowerLimit(store.view?.limits.message_max_length, host.maxLength));
}

/** Fires `vestibule-error`. */
export function reportProblem({ host }: CommentsContext, problem: WidgetProblem): void {
  host.dispatchEvent(new VestibuleErrorEvent(problem));
}

/** Sends a request. Reports a failure, announces it unless the phase has changed by then, and resolves to `undefined`. */
export async function request<Answer>(context: CommentsContext, send: () => Promise<Answer>): Promise<Answer | undefined> {
  const { machine } = context;
  const { phase } = machine;
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof BffError)) throw error;
    if (phase === machine.phase) machine.announce({ kind: 'problem', problem: error.problem });
    reportProblem(context, error.problem);
    return undefined;
  }
}
