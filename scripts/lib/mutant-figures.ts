/** Figures of `npm run test:mutants` in `test/mutants.md`, one row for each file. */

import { readFile, writeFile } from 'node:fs/promises';
import { equivalentMutants } from '../../test/equivalent-mutants.ts';
import { fromRoot } from './paths.ts';

export interface MutantFigures {
  /** All that were tried. */
  readonly mutants: number;
  readonly killed: number;
  /** Of the killed ones: a test did not end. */
  readonly timeouts: number;
  readonly equivalent: number;
  readonly seconds: number;
}

const dataPath = fromRoot('test/mutants.json');
const pagePath = fromRoot('test/mutants.md');

type FiguresByFile = Readonly<Record<string, MutantFigures>>;

/** Replaces the figures of these files. */
export async function writeMutantFigures(area: string, files: FiguresByFile): Promise<void> {
  const all = JSON.parse(await readFile(dataPath, 'utf8')) as Record<string, FiguresByFile>;
  const updated = { ...all, [area]: { ...all[area], ...files } };
  await writeFile(dataPath, `${JSON.stringify(updated, undefined, 2)}\n`);
  await writeFile(pagePath, pageOf(updated));
}

export function sumOf(all: readonly MutantFigures[]): MutantFigures {
  const sum = { mutants: 0, killed: 0, timeouts: 0, equivalent: 0, seconds: 0 };
  for (const figures of all) for (const key of Object.keys(sum) as (keyof MutantFigures)[]) sum[key] += figures[key];
  return sum;
}

/** Per cent of the mutants that change behaviour. */
export function shareOf({ mutants, killed, equivalent }: MutantFigures): number {
  return killed / (mutants - equivalent) * 100;
}

function pageOf(areas: Readonly<Record<string, FiguresByFile>>): string {
  const files = Object.values(areas).flatMap((figures) => Object.entries(figures));
  const rows = [...files, ['all', sumOf(files.map(([, figures]) => figures))] as const].map(([path, figures]) => {
    const { mutants, killed, timeouts, equivalent, seconds } = figures;
    const counts = [mutants, killed, timeouts, mutants - killed - equivalent, equivalent];
    return [path.replace(/^packages\/(?:bff\/src\/)?/, ''), ...counts, `${shareOf(figures).toFixed(1)} %`, seconds];
  });
  const listed = equivalentMutants.map(({ file, code, mutant, reason }) => [file, inline(code), inline(mutant), reason]);
  return `${[
    '# Strength of the tests',
    '`npm run test:mutants` measures it and writes this page: StrykerJS changes one expression of the code at a time, and a test must fail.\n'
    + 'A file without a row was not measured.',
    table(['file', 'mutants', 'killed', 'of these by a time limit', 'survived', 'equivalent', 'killed of those that change behaviour', 'seconds'], rows),
    '## Equivalent mutants',
    'These change no behaviour.',
    table(['file', 'code', 'mutant', 'reason'], listed),
  ].join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function inline(code: string): string {
  return `\`${code.replaceAll('|', '\\|')}\``;
}
