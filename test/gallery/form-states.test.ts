/** Every state of `<vestibule-sync>`. */

import { checkPages } from './_check-pages.ts';
import { formStates } from './form-states.ts';

checkPages('the states of the form', formStates.map(({ name }) => `/states/${name}`));
