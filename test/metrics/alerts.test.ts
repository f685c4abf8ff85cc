/** The alert rules, read and run by promtool: each fires for its failure and for nothing else. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { readYaml } from '../deploy/_yaml.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startWorld } from '../security/_world.ts';

const run = promisify(execFile);
const deploy = (name: string) => new URL(`../../packages/bff/deploy/${name}`, import.meta.url);
const rulesFile = fileURLToPath(deploy('prometheus-rules.yaml'));
const promtool = process.env['PROMTOOL_PATH'] || 'promtool';

interface Rules {
  readonly groups: readonly [{ readonly rules: readonly { readonly alert: string; readonly expr: string }[] }];
}

interface Series {
  readonly series: string;
  /** In promtool's notation, one value a minute. */
  readonly values: string;
}

/** Present while the metrics are scraped. */
const up: Series = { series: 'up{job="vestibule", instance="a"}', values: '1x60' };

const alternating = (first: 0 | 1) => `${1 - first} ${first} `.repeat(20).trim();

const breaker = (state: string, values: string): Series => (
  { series: `vestibule_service_breaker_state{operation="create-post", state="${state}", instance="a"}`, values }
);

const postsTotal = (outcome: string) => `vestibule_posts_total{outcome="${outcome}", instance="a"}`;

const failures = (operation: string, problem: string) => `vestibule_failures_total{operation="${operation}", problem="${problem}", instance="a"}`;

/** Failures from the first one on: every series begins at 0. */
const failing: Readonly<Record<string, readonly Series[]>> = {
  VestibulePostsFail: [{ series: failures('post', 'outcome-unknown'), values: '0x5 0+1x30' }],
  VestibulePostsRefused: [{ series: postsTotal('created'), values: '0+1x60' }, { series: postsTotal('service-refused'), values: '0x5 0+1x60' }],
  VestibuleSignInsFail: [{ series: failures('sign-in', 'service-refused'), values: '0x5 0+1x30' }],
  VestibulePagesRefused: [{ series: failures('sign-in', 'cross-site-request'), values: '0x5 0+1x60' }],
  VestibuleBreakerOpen: [breaker('closed', '1x5 0x30'), breaker('open', '0x5 1x30')],
  VestibuleStoreUnavailable: [{
    series: 'vestibule_store_operation_duration_seconds_count{operation="get", result="unavailable", instance="a"}', values: '0x5 0+1x30',
  }],
  VestibuleClockDrift: [{ series: 'vestibule_service_clock_drift_seconds{instance="a"}', values: '0x5 -900x30' }],
  VestibuleEventLoopLag: [{ series: 'nodejs_eventloop_lag_p99_seconds{instance="a"}', values: '0.01x5 1x30' }],
  VestibuleLogLinesLost: [{ series: 'vestibule_log_lines_lost_total{instance="a"}', values: '0x5 0+5x30' }],
  VestibuleDown: [{ series: 'up{job="vestibule", instance="a"}', values: '1x5 0x30' }],
};

/** What readers cause themselves, and small deviations. */
const healthy: readonly Series[] = [
  { series: failures('post', 'outcome-unknown'), values: '0x5 1x60' },
  { series: failures('post', 'service-refused'), values: '0+1x60' },
  { series: postsTotal('service-refused'), values: '0+1x60' },
  { series: postsTotal('created'), values: '0+9x60' },
  { series: failures('post', 'not-signed-in'), values: '0+5x60' },
  { series: failures('post', 'post-rejected'), values: '0+5x60' },
  { series: failures('sign-in', 'no-sync-in-progress'), values: '0+5x60' },
  breaker('closed', '1x60'),
  { series: 'vestibule_service_clock_drift_seconds{instance="a"}', values: '1x60' },
  { series: 'nodejs_eventloop_lag_p99_seconds{instance="a"}', values: '0.02x60' },
  { series: 'vestibule_log_lines_lost_total{instance="a"}', values: '0x60' },
  up,
];

interface RuleTest {
  readonly series: readonly Series[];
  /** Alerts after 30 minutes. */
  readonly firing: readonly string[];
}

async function testRules(tests: readonly RuleTest[]): Promise<string> {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, 'tests.yaml');
  await writeFile(file, stringify({
    rule_files: [rulesFile],
    evaluation_interval: '1m',
    tests: tests.map(({ series, firing }) => ({
      interval: '1m',
      input_series: series,
      promql_expr_test: [{
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: '30m',
        exp_samples: firing.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
      }],
    })),
  }));
  const { stdout } = await run(promtool, ['test', 'rules', file]);
  return stdout;
}

describe('the alert rules', () => {
  it('are accepted by promtool, as is the configuration that scrapes', async () => {
    assert.match((await run(promtool, ['check', 'rules', rulesFile])).stdout, /SUCCESS: 10 rules found/);
    assert.match((await run(promtool, ['check', 'config', '--agent', fileURLToPath(deploy('prometheus.yaml'))])).stdout, /SUCCESS/);
  });

  it('each fire for their failure, alone, from the first failure on', async () => {
    const [{ groups: [{ rules }] }] = await readYaml(deploy('prometheus-rules.yaml')) as [Rules];
    assert.deepEqual(rules.map(({ alert }) => alert), Object.keys(failing));
    assert.match(await testRules(Object.entries(failing).map(([alert, series]) => ({
      series: alert === 'VestibuleDown' ? series : [...series, up], firing: [alert],
    }))), /SUCCESS/);
  });

  it('fire while the breaker alternates between open and half-open', async () => {
    const series = [up, breaker('open', alternating(1)), breaker('half-open', alternating(0))];
    assert.match(await testRules([{ series, firing: ['VestibuleBreakerOpen'] }]), /SUCCESS/);
  });

  it('fire if the agent ended with its BFF, and no sample arrives', async () => {
    assert.match(await testRules([{ series: [{ ...up, values: '1x5 stale' }], firing: ['VestibuleDown'] }]), /SUCCESS/);
  });

  it('fire for pages on the other of www and apex', async () => {
    const series = [up, { series: failures('page', 'invalid-request'), values: '0x5 0+1x60' }];
    assert.match(await testRules([{ series, firing: ['VestibulePagesRefused'] }]), /SUCCESS/);
  });

  it('do not fire while readers make mistakes and everything works', async () => {
    assert.match(await testRules([{ series: healthy, firing: [] }]), /SUCCESS/);
  });

  it('each have a row in docs/operation.md, in the same order', async () => {
    const text = await readFile(new URL('../../docs/operation.md', import.meta.url), 'utf8');
    assert.deepEqual([...text.matchAll(/^\| `(Vestibule\w+)` \|/gm)].map(([, alert]) => alert), Object.keys(failing));
  });

  it('name only metrics that an instance has', async () => {
    await using world = await startWorld();
    const text = await world.vestibule.metrics();
    const [{ groups: [{ rules }] }] = await readYaml(deploy('prometheus-rules.yaml')) as [Rules];
    const selectors = rules.flatMap(({ expr }) => [...expr.matchAll(/\b((?:vestibule|nodejs)_\w+)(?:\{([^}]*)\})?/g)]);
    const named = rules.filter(({ expr }) => /\b(?:vestibule|nodejs)_\w/.test(expr)).map(({ alert }) => alert);
    assert.deepEqual(named, rules.map(({ alert }) => alert).filter((alert) => alert !== 'VestibuleDown'));
    for (const [, name = '', matchers = ''] of selectors) {
      const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
      for (const [, label = '', operator, value = ''] of matchers.matchAll(/(\w+)(=~?)"([^"]*)"/g)) {
        for (const alternative of operator === '=~' ? value.split('|') : [value]) {
          assert.ok(lines.some((line) => new RegExp(`\\b${label}="${alternative}"`).test(line)), `${name}: ${label}=${alternative}`);
        }
      }
      assert.ok(lines.length > 0, name);
    }
  });
});
