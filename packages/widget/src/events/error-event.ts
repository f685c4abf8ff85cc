import type { WidgetProblem } from '../client/problem.ts';

/** `vestibule-error`: something failed, and the reader was told. */
export class VestibuleErrorEvent extends CustomEvent<{ readonly problem: WidgetProblem }> {
  static readonly type = 'vestibule-error';

  constructor(problem: WidgetProblem) {
    super(VestibuleErrorEvent.type, { bubbles: true, composed: true, detail: { problem } });
  }
}

declare global {
  interface HTMLElementEventMap {
    'vestibule-error': VestibuleErrorEvent;
  }
}
