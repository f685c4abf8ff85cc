/** Parameters of a field's template. */

import type { FormField } from '@vestibule/shared';
import type { SyncStrings } from '../../locales/en-sync.ts';
import type { RawAnswer } from '../answers.ts';

export interface FieldView {
  readonly field: FormField;
  /** Id of the control, unique within the form. */
  readonly id: string;
  /** Initial value of the control; later changes have no effect. */
  readonly initial: RawAnswer | undefined;
  /** Why the answer is not taken, as a sentence. */
  readonly error: string | undefined;
  readonly words: SyncStrings['questions'];
}
