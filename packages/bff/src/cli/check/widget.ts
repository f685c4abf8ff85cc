/** Checks that the built widget is installed. */

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { widgetDirectory } from '../../http/static-files.ts';
import { findingsOf, type Finding } from './finding.ts';

export async function checkWidget(): Promise<readonly Finding[]> {
  const { ok, fail } = findingsOf('widget');
  try {
    const { size } = await stat(join(widgetDirectory(), 'widget.js.br'));
    return [ok(`widget.js, ${size} bytes compressed`)];
  } catch {
    return [fail('the built files are missing: reinstall @vestibule/bff; in a checkout run "npm run build"')];
  }
}
