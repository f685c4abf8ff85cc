/**
 * `npm run bench`: runs every benchmark and prints one table. Measure on an idle machine.
 *
 * - `npm run bench -- peer store`: some of them: `weight`, `peer`, `signing`, `store`, `page-views`, `thread`
 * - `npm run bench -- --quick`: shorter rounds
 */

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { renderTable, type BenchOptions, type Row } from './rows.ts';

const benches: Readonly<Record<string, () => Promise<(options: BenchOptions) => Promise<readonly Row[]>>>> = {
  weight: async () => (await import('./weight.ts')).benchWeight,
  signing: async () => (await import('./signing.ts')).benchSigning,
  peer: async () => (await import('./peer.ts')).benchPeer,
  store: async () => (await import('./store.ts')).benchStore,
  thread: async () => (await import('./thread.ts')).benchThread,
  'page-views': async () => (await import('./page-views.ts')).benchPageViews,
};

const { values: { quick }, positionals } = parseArgs({ allowPositionals: true, options: { quick: { type: 'boolean', default: false } } });
const rows: Row[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(benches)) {
  const load = benches[name];
  if (!load) throw new Error(`There is no benchmark ${name}; there are ${Object.keys(benches).join(', ')}.`);
  console.error(`${name} …`);
  rows.push(...await (await load())({ quick }));
}
console.log(`Node.js ${process.versions.node}, ${cpus().length} cores: ${cpus()[0]?.model}\n\n${renderTable(rows)}`);
