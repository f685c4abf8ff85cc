/** The script for lists of articles, `count.js`: `<vestibule-count>` alone. */

import { countView } from './count/count-view.ts';
import { defineCount } from './count/vestibule-count.ts';

defineCount(countView);
