import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Request } from 'express';
import { pino } from 'pino';
import { problemTypes, type ProblemType } from '@vestibule/shared';
import { notFailures } from '../metrics/metrics.ts';
import { NoResponseError } from '../service/http-transport.ts';
import { NotAdmittedError } from '../service/operation-policy.ts';
import { problemOfFailure } from '../service/service-response.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { Admission } from './admission.ts';
import { createFailureLog } from './failure-log.ts';
import { ProblemError } from './problem-error.ts';

type Line = Readonly<Record<'level' | 'reason' | 'setting', unknown>>;

/** Lines that a failed post leaves. */
function linesOf(problem: ProblemError): readonly Line[] {
  const lines: Line[] = [];
  const log = pino({}, { write: (line: string) => { lines.push(JSON.parse(line) as Line); } });
  const report = createFailureLog({ log, logIdOf: (id) => id, metrics: { failures: { inc: () => undefined } } as never });
  report(problem, { path: '/posts', method: 'POST', headers: {}, body: {} } as Request);
  return lines;
}

describe('the line of a failure', () => {
  for (const type of Object.keys(problemTypes).filter((name) => !notFailures.has(name)) as ProblemType[]) {
    it(`of type ${type} has a reason, and a setting or part to look at`, () => {
      const [line, ...more] = linesOf(new ProblemError(type));
      assert.deepEqual(more, []);
      assert.match(String(line?.reason), /^\w.{9,}/);
      assert.match(String(line?.setting), /^\w.{4,}/);
    });
  }

  const drained = () => {
    const admission = new Admission();
    void admission.close();
    try {
      admission.admit({} as Request, {} as never, () => undefined);
    } catch (error) {
      return error as ProblemError;
    }
    return assert.fail('was admitted');
  };

  for (const [what, problem, reason, setting] of [
    ['a draining BFF', drained(), 'the BFF drains: it was asked to stop', 'the deployment or the process manager'],
    ['an open breaker', problemOfFailure(new NotAdmittedError('open')), 'the circuit breaker is open after failures of the service', 'the service, and the lines before this one'],
    ['a full bulkhead', problemOfFailure(new NotAdmittedError('busy')), 'too many calls to the service wait', 'VESTIBULE_SERVICE_MAX_IN_FLIGHT, VESTIBULE_SERVICE_MAX_QUEUED'],
    ['Retry-After', problemOfFailure(new NotAdmittedError('retry-after', 5)), 'the service asked to wait with Retry-After', 'the service'],
    ['a refused connection', problemOfFailure(new NoResponseError(false, new Error('refused'))), 'the service did not answer', 'VESTIBULE_SERVICE_URL'],
    ['a store that fails', new ProblemError('outcome-unknown', { cause: new StoreUnavailableError(new Error('lost')) }), 'the store did not answer', 'VESTIBULE_STORE'],
  ] as const) {
    it(`names ${what}`, () => {
      const [line] = linesOf(problem);
      assert.deepEqual([line?.reason, line?.setting], [reason, setting]);
    });
  }

  it('mixes no reason of the thrower with a setting of the table', () => {
    const [line] = linesOf(new ProblemError('no-sync-in-progress', { diagnosis: { reason: 'a reason' } }));
    assert.deepEqual([line?.reason, line?.setting], ['a reason', undefined]);
  });
});
