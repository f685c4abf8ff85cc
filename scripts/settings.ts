/** Writes what derives from the table of settings: `config.schema.json` of the package of the BFF, for editors, and the interface
 *  `VestibuleConfig`, whose members have the sentences of the table. `npm run build` runs it first. */

import { writeFileSync } from 'node:fs';
import { configJsonSchema, configInterface } from './settings-types.ts';

const bff = new URL('../packages/bff/', import.meta.url);
writeFileSync(new URL('config.schema.json', bff), configJsonSchema());
writeFileSync(new URL('src/config/vestibule-config.ts', bff), configInterface());
