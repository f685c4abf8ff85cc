import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { problemTypes, type Problem, type ProblemType, type User } from '@vestibule/shared';
import { StoreUnavailableError } from '../store/store.ts';
import { ProblemError } from './problem-error.ts';
import { problemResponse, toProblemError } from './problem-response.ts';
import { serve, serveApp } from './_serve.ts';

const failWith = (error: unknown): RequestHandler => () => { throw error; };

describe('toProblemError', () => {
  for (const [what, error, type] of [
    ['a body that is too large', Object.assign(new Error(), { type: 'entity.too.large' }), 'payload-too-large'],
    ['an unknown charset', Object.assign(new Error(), { type: 'encoding.unsupported' }), 'unsupported-media-type'],
    ['a body that is cut off', Object.assign(new Error(), { type: 'request.aborted' }), 'invalid-request'],
    ['a wrong Content-Length', Object.assign(new Error(), { type: 'request.size.invalid' }), 'invalid-request'],
    ['an unknown error', new Error('lost'), 'internal-error'],
    ['no error at all', undefined, 'internal-error'],
  ] as const) {
    it(`maps ${what} to ${type}`, () => {
      const problem = toProblemError(error);
      assert.deepEqual([problem.type, problem.cause], [type, error]);
    });
  }

  it('names the client that closed the connection, for the log', () => {
    assert.deepEqual(toProblemError(Object.assign(new Error(), { type: 'request.aborted' })).diagnosis, {
      reason: 'the client closed the connection before its request was complete', setting: 'none; investigate if frequent',
    });
    assert.equal(toProblemError(Object.assign(new Error(), { type: 'request.size.invalid' })).diagnosis, undefined);
  });
});

describe('problemResponse', () => {
  for (const [type, { status, title, retryable }] of Object.entries(problemTypes)) {
    it(`answers ${type} with ${status}`, async () => {
      await using served = await serve(failWith(new ProblemError(type as ProblemType, { detail: 'Words.' })));
      const res = await served.request.get('/');
      assert.equal(res.status, status);
      assert.equal(res.headers['content-type'], 'application/problem+json; charset=utf-8');
      assert.deepEqual(JSON.parse(res.text), {
        type: `urn:vestibule:${type}`, title, status, detail: 'Words.', retryable, instance: `urn:vestibule:request:${res.headers['x-request-id']}`,
      });
    });
  }

  it('sends the id and the name of the proven user', async () => {
    const user = { user_id: '31007', username: 'anna' };
    await using served = await serve(failWith(new ProblemError('user-changed', { user: { ...user, canary: true } as User })));
    assert.deepEqual(((await served.request.get('/')).body as Problem).user, user);
  });

  it('sends fields, Retry-After, Allow and Idempotency-Replayed', async () => {
    await using served = await serve(failWith(new ProblemError('invalid-answers', {
      fields: { age: 'Too low.' }, retryAfterSeconds: 7, allow: 'POST', replayed: true,
    })));
    const { body, headers } = await served.request.get('/');
    assert.deepEqual((body as Problem).fields, { age: 'Too low.' });
    assert.deepEqual([headers['retry-after'], headers['allow'], headers['idempotency-replayed']], ['7', 'POST', 'true']);
  });

  it('sends none of these headers by default', async () => {
    await using served = await serve(failWith(new ProblemError('not-found')));
    const { headers } = await served.request.get('/');
    assert.deepEqual([headers['retry-after'], headers['allow'], headers['idempotency-replayed']], [undefined, undefined, undefined]);
  });

  it('answers unknown errors with internal-error and no details', async () => {
    for (const error of [new TypeError('canary'), Object.assign(new Error('canary'), { status: 418, type: 'canary' }), 'canary', { canary: true }]) {
      await using served = await serve(failWith(error));
      const res = await served.request.get('/');
      assert.equal(res.status, 500);
      assert.equal((res.body as Problem).type, 'urn:vestibule:internal-error');
      assert.equal((res.body as Problem).instance, `urn:vestibule:request:${res.headers['x-request-id']}`);
      assert.doesNotMatch(res.text + JSON.stringify(res.headers), /canary/);
    }
  });

  it('answers an unavailable store with service-unavailable and Retry-After', async () => {
    await using served = await serve(failWith(new StoreUnavailableError(new Error('canary'))));
    const res = await served.request.get('/');
    assert.equal(res.status, 503);
    assert.equal(res.headers['retry-after'], '2');
    const { type, retryable, detail } = res.body as Problem;
    assert.deepEqual({ type, retryable, detail }, {
      type: 'urn:vestibule:service-unavailable',
      retryable: true,
      detail: 'Comments are not available at the moment. Please try again.',
    });
    assert.doesNotMatch(res.text, /canary/);
  });

  it('reports each problem; an unknown error is its cause', async () => {
    const lost = new Error('lost');
    const notFound = new ProblemError('not-found');
    const reported: unknown[] = [];
    for (const error of [lost, notFound]) {
      await using served = await serveApp((app) => {
        app.use(failWith(error)).use(problemResponse(({ type, cause }) => { reported.push([type, cause]); }));
      });
      await served.request.get('/');
    }
    assert.deepEqual(reported, [['internal-error', lost], ['not-found', undefined]]);
  });

  it('sends a page instead of the problem', async () => {
    const page = problemResponse(() => undefined, (problem, req, res) => {
      if (req.path !== '/page') return false;
      res.status(problem.status).send('a page');
      return true;
    });
    await using served = await serveApp((app) => { app.use(failWith(new ProblemError('not-found'))).use(page); });
    assert.equal((await served.request.get('/page')).text, 'a page');
    assert.equal((await served.request.get('/other')).type, 'application/problem+json');
  });

  it('destroys a response that has started', async () => {
    const passedOn: unknown[] = [];
    const lateError: ErrorRequestHandler = (error, _req, res, _next) => {
      passedOn.push(error);
      res.destroy();
    };
    await using served = await serveApp((app) => {
      app.use((_req, res) => {
        res.status(200).write('begun');
        throw new Error('late');
      }).use(problemResponse(() => undefined)).use(lateError);
    });
    await assert.rejects(async () => { await served.request.get('/'); }, { code: 'ECONNRESET' });
    assert.deepEqual(passedOn, []);
  });
});
