/** `npm run capacity`: writes `docs/capacity.md` from `docs/capacity-figures.json`. `--measure` measures the figures first. */

import { writeFile } from 'node:fs/promises';
import { page, readFigures, writeFigures } from './_figures.ts';
import { measureFigures } from './_measure.ts';
import { renderPage } from './_page.ts';

if (process.argv.includes('--measure')) await writeFigures(await measureFigures());
await writeFile(page, renderPage(await readFigures()));
