/** Every state of `<vestibule-comments>`. */

import { readTrees } from './_accessibility-tree.ts';
import { checkPages } from './_check-pages.ts';
import { boxStates } from './box-states.ts';

const trees = await readTrees();

checkPages('the states of the comment box', boxStates.map(({ name }) => `/states/${name}`), (address) => trees.get(address.slice('/states/'.length)) ?? 'none is committed');
