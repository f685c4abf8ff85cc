/** The figures that the README shows. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { keptReport, publishedFigures, renderFigures } from '../bench/_figures.ts';
import type { BenchReport } from '../bench/_row.ts';
import { readDocument } from './_documents.ts';

describe('the figures of the README', () => {
  it('are those of the run that is kept', async () => {
    const report = JSON.parse(await readFile(keptReport, 'utf8')) as BenchReport;
    assert.equal(publishedFigures(await readDocument('README.md')), renderFigures(report));
  });
});
