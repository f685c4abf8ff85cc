import type { WidgetProblem } from '../api/problem.ts';

/** `vestibule-error`: something failed, and the reader was told. */
export class ErrorEvent extends CustomEvent<{ readonly problem: WidgetProblem }> {
  static readonly type = 'vestibule-error';

  constructor(problem: WidgetProblem) {
    super(ErrorEvent.type, { bubbles: true, composed: true, detail: { problem } });
  }
}

declare global {
  interface HTMLElementEventMap {
    'vestibule-error': ErrorEvent;
  }
}
