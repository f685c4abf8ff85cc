/** Copies the built widget into the package of the BFF, which serves it. Source maps stay in the widget's package: no script
 *  names them. */

import { cpSync, rmSync } from 'node:fs';

const target = new URL('../packages/bff/dist/widget/', import.meta.url);

rmSync(target, { recursive: true, force: true });
cpSync(new URL('../packages/widget/dist/browser/', import.meta.url), target, {
  recursive: true,
  filter: (path) => !path.endsWith('.map'),
});
