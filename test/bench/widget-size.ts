/** Bytes of the built widget, file by file, against its budget and the floor: a Lit element that says hello. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import type { BenchRow } from './_row.ts';
import { readAssets, readFirstStage, weigh } from './_widget-files.ts';

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
  const first = weigh(await readFirstStage());
  const rows: BenchRow[] = [
    { name: 'widget: before a reader can type, minified', value: first.minified, unit: 'bytes' },
    { name: 'widget: before a reader can type, gzip -9', value: first.gzip, unit: 'bytes' },
    { name: 'widget: before a reader can type, brotli 11', value: first.brotli, unit: 'bytes', goal: { atMost: budget.first } },
    { name: 'widget: the floor, a Lit element that says hello, brotli 11', value: await weighHello(), unit: 'bytes' },
  ];
  for (const [name, file] of await readAssets()) {
    const atMost = budget.assets[name];
    rows.push({
      name: `widget: ${name}, later, brotli 11`, value: weigh([file]).brotli, unit: 'bytes', ...(atMost && { goal: { atMost } }),
    });
  }
  return rows;
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
async function weighHello(): Promise<number> {
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
  return weigh([{ path: 'hello.js', code }]).brotli;
}
