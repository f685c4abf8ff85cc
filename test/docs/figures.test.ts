/** The figures of the benchmarks. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { keptReport, publishedFigures, renderFigures } from '../bench/_figures.ts';
import type { BenchReport } from '../bench/_row.ts';
import { readDocument } from './_documents.ts';

describe('the figures of docs/benchmarks.md', () => {
  it('are those of the kept run', async () => {
    const report = JSON.parse(await readFile(keptReport, 'utf8')) as BenchReport;
    assert.equal(publishedFigures(await readDocument('docs/benchmarks.md')), renderFigures(report));
  });
});
