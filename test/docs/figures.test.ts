/** The figures of the benchmarks. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { publishedFigures, publishedReport, renderFigures, type PublishedReport } from '../bench/_figures.ts';
import { readDocument } from './_documents.ts';

describe('the figures of docs/benchmarks.md', () => {
  it('are those of the published runs', async () => {
    const report = JSON.parse(await readFile(publishedReport, 'utf8')) as PublishedReport;
    assert.equal(publishedFigures(await readDocument('docs/benchmarks.md')), renderFigures(report));
  });
});
