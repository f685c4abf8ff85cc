/** What every step's template is given: words, what is under way, and what the reader may do. */

import type { WidgetProblem } from '../../../api/problem.ts';
import type { ProblemStrings } from '../../../locales/en-problems.ts';
import type { SyncStrings } from '../../../locales/en-sync.ts';
import type { FieldFaults } from '../answers.ts';
import type { SyncWait } from '../sync-step.ts';
import type { WayOut } from '../way-out.ts';

export interface SyncView {
  readonly words: SyncStrings;
  readonly commonProblems: ProblemStrings;
  /** BCP 47 tag of `words`. */
  readonly tag: string;
  /** 1 to 6. */
  readonly headingLevel: number;
  readonly wait: SyncWait | undefined;
  /** Why the last request failed; the reader may try again. */
  readonly problem: WidgetProblem | undefined;
  /** The sign-in that is shown has taken the place of the one that the reader had begun with. */
  readonly isSuperseded: boolean;
  readonly faults: FieldFaults;
  readonly waysOut: readonly WayOut[];
  /** The page has cancelled the event and navigates by itself. */
  readonly isHandedOver: boolean;
  /** The window was asked to close and did not. */
  readonly isStuckOpen: boolean;
  readonly retry: () => void;
  readonly start: () => void;
  readonly cancel: () => void;
  readonly acknowledge: () => void;
  readonly leaveAgain: () => void;
  readonly startAgain: (() => void) | undefined;
  readonly submit: (event: SubmitEvent) => void;
  /** A control has changed. */
  readonly edit: (event: Event) => void;
  readonly focusField: (id: string) => void;
  readonly closeWindow: () => void;
  readonly backToComments: () => void;
}
