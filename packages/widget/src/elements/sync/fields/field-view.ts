/** What a field's template is given. */

import type { FormField } from '@vestibule/shared';
import type { SyncStrings } from '../../../locales/en-sync.ts';
import type { RawAnswer } from '../answers.ts';

export interface FieldView {
  readonly field: FormField;
  /** Id of the control, unique within the form. */
  readonly id: string;
  /** What the control begins with; later changes of it do not reach the control. */
  readonly initial: RawAnswer | undefined;
  /** Why the answer is not taken, as a sentence. */
  readonly error: string | undefined;
  readonly words: SyncStrings['questions'];
}
