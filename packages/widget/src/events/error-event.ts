/** The event of a failure, which is on each page, and what the events of the elements have in common. */

import type { WidgetProblem } from '../client/problem.ts';

/** Bubbles and is composed. */
export class VestibuleEvent<Detail> extends CustomEvent<Detail> {
  constructor(type: string, detail: Detail, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable, detail });
  }
}

/** `vestibule-error`: something failed, and the reader was told. */
export class VestibuleErrorEvent extends VestibuleEvent<{ readonly problem: WidgetProblem }> {
  constructor(problem: WidgetProblem) {
    super('vestibule-error', { problem });
  }
}
