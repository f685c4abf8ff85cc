/** Events of the elements that the first stage needs, and what all have in common: each bubbles and is composed. */

import type { WidgetProblem } from './client/problem.ts';

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

/** `vestibule-ready`: the reader can type. */
export class VestibuleReadyEvent extends VestibuleEvent<null> {
  constructor() {
    super('vestibule-ready', null);
  }
}

declare global {
  interface HTMLElementEventMap {
    'vestibule-error': VestibuleErrorEvent;
    'vestibule-ready': VestibuleReadyEvent;
  }
}
