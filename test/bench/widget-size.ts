/** Bytes of the built widget, file by file, against its budget and the floor: a Lit element that says hello. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import type { BenchRow } from './_row.ts';
import { readAssets, readFirstStage, weigh, type Weight, type WidgetFile } from './_widget-files.ts';

export interface SizeBudget {
  /** Everything before a reader can type. */
  readonly first: number;
  /** Each later chunk by its name. */
  readonly assets: Readonly<Record<string, number>>;
}

export async function readSizeBudget(): Promise<SizeBudget> {
  const path = resolve(import.meta.dirname, '../../packages/widget/size-budget.json');
  return JSON.parse(await readFile(path, 'utf8')) as SizeBudget;
}

export async function benchWidgetSize(): Promise<readonly BenchRow[]> {
  const budget = await readSizeBudget();
  const files = await readFirstStage();
  const { minified, gzip, brotli } = weigh(files);
  const hello = await weighHello();
  const floor = 'a Lit element that says hello';
  return [
    { name: 'widget: before a reader can type, minified', value: minified, unit: 'bytes', ...compared(minified, hello.minified, floor) },
    { name: 'widget: before a reader can type, gzip -9', value: gzip, unit: 'bytes', ...compared(gzip, hello.gzip, floor) },
    { name: 'widget: before a reader can type, brotli 11', value: brotli, unit: 'bytes', ...compared(brotli, hello.brotli, floor) },
    ...files.map((file) => weightRow(file.path, file, files.length === 1 ? budget.first : undefined)),
    ...[...await readAssets()].map(([name, file]) => weightRow(name, file, budget.assets[name])),
  ];
}

function weightRow(name: string, file: WidgetFile, budget: number | undefined): BenchRow {
  const { brotli } = weigh([file]);
  return {
    name: `size of \`${name}\`, brotli 11`, value: brotli, unit: 'bytes',
    ...(budget !== undefined && { ...compared(brotli, budget, 'its budget'), goal: { atMost: 1 } }),
  };
}

/** Bytes do not vary: the spread is none. */
function compared(bytes: number, base: number, baseline: string) {
  const ratio = bytes / base;
  return { ratio, baseline, spread: [ratio, ratio] } as const;
}

const HELLO = `
  import { css, html, LitElement } from 'lit';
  customElements.define('hello-lit', class extends LitElement {
    static styles = css\`p { color: green; }\`;
    static properties = { name: {} };
    render() { return html\`<p>Hello, \${this.name}</p>\`; }
  });
`;

/** Built as the widget is. */
async function weighHello(): Promise<Weight> {
  const root = resolve(import.meta.dirname, '../../packages/widget');
  const entry = resolve(root, 'hello.js');
  const hello: Plugin = {
    name: 'hello',
    enforce: 'pre',
    resolveId: (source) => (source === entry ? entry : null),
    load: (path) => (path === entry ? HELLO : null),
  };
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins: [hello],
    build: {
      target: 'es2024',
      write: false,
      lib: { entry, formats: ['es'] },
      rolldownOptions: { output: { minify: true, comments: { annotation: false } } },
    },
  }) as Rolldown.RolldownOutput[];
  const { code } = result[0]!.output[0];
  return weigh([{ path: 'hello.js', code }]);
}
