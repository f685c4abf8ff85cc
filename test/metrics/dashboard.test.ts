/** The dashboard shows each metric of the BFF, and names no other. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startWorld } from '../security/_world.ts';

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
}

const dashboard = JSON.parse(
  await readFile(new URL('../../packages/bff/deploy/grafana-dashboard.json', import.meta.url), 'utf8'),
) as Dashboard;

const run = promisify(execFile);
const promtool = process.env['PROMTOOL_PATH'] || 'promtool';

const METRIC = /\b(?:vestibule|nodejs|process)_\w+/g;

describe('the dashboard', () => {
  it('names only metrics that an instance has', async () => {
    await using world = await startWorld();
    await world.browser().signIn();
    const text = await world.vestibule.metrics();
    const known = new Set([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) => (
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
    )));
    const expressions = [
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...dashboard.templating.list.flatMap(({ definition }) => definition ?? []),
    ];
    const named = expressions.flatMap((expression) => expression.match(METRIC) ?? []);
    assert.ok(named.length > 20);
    assert.deepEqual(named.filter((name) => !known.has(name)), []);
  });

  it('shows every metric of the BFF', async () => {
    await using world = await startWorld();
    const ours = [...(await world.vestibule.metrics()).matchAll(/^# TYPE (vestibule_\w+) /gm)].map(([, name = '']) => name);
    const drawn = JSON.stringify(dashboard.panels);
    assert.deepEqual(ours.filter((name) => !drawn.includes(name)), []);
  });

  it('has a query in every panel', () => {
    for (const { type, title, targets = [] } of dashboard.panels) {
      assert.ok(title.length > 0);
      assert.equal(targets.length > 0, type !== 'row', title);
    }
  });

  it('has queries that promtool parses', async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, 'queries.json');
    const rules = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }, i) => ({
      alert: `${title} ${i}`, expr: expr.replaceAll('$__rate_interval', '1m'),
    })));
    assert.ok(rules.length > 10);
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    assert.match((await run(promtool, ['check', 'rules', file])).stdout, new RegExp(`SUCCESS: ${rules.length} rules found`));
  });
});
