/** Every state of both elements. */

import { boxStates } from './box-states.ts';
import { formStates } from './form-states.ts';
import type { State } from './state.ts';

export const states: readonly State[] = [...boxStates, ...formStates];
