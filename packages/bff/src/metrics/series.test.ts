/** Counters and histograms, against those of prom-client. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Counter as PromCounter, Histogram as PromHistogram, Registry } from 'prom-client';
import { Counter } from './counter.ts';
import { Histogram } from './histogram.ts';

const buckets = [0.001, 0.1, 1, 10];

describe('Counter', () => {
  it('writes what prom-client writes', async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const wish = { name: 'notes_total', help: 'Notes by\nkind.', labelNames: ['kind', 'status'] };
    const counter = new Counter({ ...wish, registry: ours });
    const prom = new PromCounter({ ...wish, registers: [theirs] });
    for (const [kind, status] of [['a', '200'], ['a', '200'], ['b"\\', '404'], ['a', '500']] as const) {
      counter.count(kind, status);
      prom.inc({ kind, status });
    }
    assert.equal(await ours.metrics(), await theirs.metrics());
  });
});

describe('Histogram', () => {
  it('writes what prom-client writes', async () => {
    const [ours, theirs] = [new Registry(), new Registry()];
    const wish = { name: 'note_seconds', help: 'How long notes took.', labelNames: ['kind'], buckets };
    const histogram = new Histogram({ ...wish, registry: ours });
    const prom = new PromHistogram({ ...wish, registers: [theirs] });
    for (const [kind, seconds] of [['a', 0.001], ['a', 0.0011], ['a', 0], ['b', 0.5], ['b', 10], ['b', 10.5], ['b', 1e6]] as const) {
      histogram.of(kind).observe(seconds);
      prom.observe({ kind }, seconds);
    }
    assert.equal(await ours.metrics(), await theirs.metrics());
  });

  it('keeps label values apart that look alike together', async () => {
    const registry = new Registry();
    const counter = new Counter({ name: 'pairs_total', help: 'Pairs.', labelNames: ['one', 'other'], registry });
    counter.count('a', 'bc');
    counter.count('ab', 'c');
    assert.match(await registry.metrics(), /one="a",other="bc"\} 1\n.*one="ab",other="c"\} 1/);
  });
});
