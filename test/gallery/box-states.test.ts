/** Every state of `<vestibule-comments>`. */

import { checkPages } from './_check-pages.ts';
import { boxStates } from './box-states.ts';

checkPages('the states of the comment box', boxStates.map(({ name }) => `/states/${name}`));
