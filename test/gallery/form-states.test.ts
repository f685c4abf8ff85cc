/** Every state of `<vestibule-sync>`. */

import { readTrees } from './_accessibility-tree.ts';
import { checkPages } from './_check-pages.ts';
import { formStates } from './form-states.ts';

const trees = await readTrees();

checkPages('the states of the form', formStates.map(({ name }) => `/states/${name}`), (address) => trees.get(address.slice('/states/'.length)) ?? 'none is committed');
