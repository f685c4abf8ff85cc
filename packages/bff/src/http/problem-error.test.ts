import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Router } from 'express';
import { problemTypes, type ProblemType } from '@vestibule/shared';
import { methodNotAllowed, ProblemError, replayedProblem } from './problem-error.ts';
import { done, serve } from './_serve.ts';

const serveRoute = () => {
  const router = Router();
  router.route('/session').get(done).delete(done).all(methodNotAllowed('GET, HEAD, DELETE'));
  return serve(router);
};

describe('ProblemError', () => {
  it('has a default detail and the status of each type', () => {
    for (const [type, { status }] of Object.entries(problemTypes)) {
      const error = new ProblemError(type as ProblemType);
      assert.equal(error.status, status);
      assert.match(error.detail, /^[A-Z].*\.$/);
    }
  });

  it('has a name, its type as message, and a cause if there is one', () => {
    const cause = new Error('lost');
    const problem = new ProblemError('internal-error', { cause });
    assert.deepEqual([problem.name, problem.message, problem.cause], ['ProblemError', 'internal-error', cause]);
    assert.ok(!('cause' in new ProblemError('not-found', { detail: 'Nothing.' })));
  });
});

describe('replayedProblem', () => {
  it('is the stored failure; its line leads to the line of the first request, if that is known', () => {
    const [reason, setting] = ['the stored failure of an earlier request', 'the line of the earlier request'];
    for (const [request_id, diagnosis] of [
      ['first-request', { reason, first_request_id: 'first-request', setting }], [undefined, { reason, setting }],
    ] as const) {
      const problem = replayedProblem({ problem: 'post-rejected', detail: 'Closed.', request_id });
      assert.deepEqual([problem.type, problem.detail, problem.replayed], ['post-rejected', 'Closed.', true]);
      assert.deepEqual(problem.diagnosis, diagnosis);
    }
  });
});

describe('methodNotAllowed', () => {
  it('answers unsupported methods with 405 and the supported ones', async () => {
    await using served = await serveRoute();
    for (const method of ['post', 'put', 'patch', 'options'] as const) {
      const { status, headers, body } = await served.request[method]('/session');
      assert.deepEqual([status, headers['allow'], (body as { type: string }).type], [405, 'GET, HEAD, DELETE', 'urn:vestibule:method-not-allowed'], method);
    }
  });

  it('is not reached by supported methods, HEAD included', async () => {
    await using served = await serveRoute();
    for (const method of ['get', 'head', 'delete'] as const) assert.equal((await served.request[method]('/session')).status, 204, method);
  });
});
