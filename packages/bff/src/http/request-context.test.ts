import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequestHandler } from 'express';
import { nextTraceParent } from '../lib/trace-context.ts';
import { jsonBody } from './json-body.ts';
import { requestIdOf, traceIdOf } from './request-context.ts';
import { serve } from './_serve.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

const report: RequestHandler = (req, res) => {
  res.json({ id: requestIdOf(req), traceId: traceIdOf(req), next: nextTraceParent() });
};

describe('requestContext', () => {
  it('adopts a safe X-Request-Id and returns it', async () => {
    await using served = await serve(report);
    const res = await served.request.get('/').set('X-Request-Id', 'proxy-1:2.3_4');
    assert.equal(res.headers['x-request-id'], 'proxy-1:2.3_4');
    assert.equal(res.body.id, 'proxy-1:2.3_4');
  });

  it('creates an id if there is none, or one that could forge a log line', async () => {
    await using served = await serve(report);
    assert.match((await served.request.get('/')).headers['x-request-id'] ?? '', UUID);
    for (const id of ['short', 'x'.repeat(65), 'with space!', '{"level":60}', 'a,b,c,d,e', 'ü'.repeat(8)]) {
      const res = await served.request.get('/').set('X-Request-Id', Buffer.from(id).toString('latin1').replaceAll(/[\x80-\xff]/g, '?'));
      assert.match(res.headers['x-request-id'] ?? '', UUID, id);
    }
  });

  it('continues the trace of the request, also after the body is read', async () => {
    await using served = await serve(jsonBody(100), report);
    const { body } = await served.request.post('/').set('traceparent', TRACEPARENT).send({ message: 'x' });
    assert.equal(body.traceId, TRACE);
    assert.match(body.next, new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[\\da-f]{16}-01$`));
  });

  it('ignores a traceparent that is missing, invalid or duplicated', async () => {
    await using served = await serve(report);
    for (const header of [undefined, 'nonsense', [TRACEPARENT, TRACEPARENT]]) {
      const request = served.request.get('/');
      const { body } = await (header === undefined ? request : request.set({ traceparent: header as string }));
      assert.deepEqual([body.traceId, body.next], [undefined, undefined]);
    }
  });
});
