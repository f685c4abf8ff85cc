import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import type { RequestHandler } from 'express';
import { nextTraceParent } from '../lib/trace-context.ts';
import { jsonBody } from './json-body.ts';
import { contextOf } from './request-context.ts';
import { serve } from './_serve.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

const report: RequestHandler = (req, res) => {
  res.json({ id: contextOf(req).id, next: nextTraceParent() });
};

describe('contextOf', () => {
  it('is a temporary context with an empty id in other routes of a host application', () => {
    assert.deepEqual(contextOf({} as IncomingMessage), { id: '' });
  });
});

describe('requestContext', () => {
  it('creates an id for each request, whatever the client sends, so that a reference finds one request', async () => {
    await using served = await serve(report);
    const ids = new Set<string>();
    for (const given of [undefined, 'proxy-1:2.3_4', 'proxy-1:2.3_4', 'x'.repeat(65)]) {
      const { headers, body } = await served.request.get('/').set(given === undefined ? {} : { 'X-Request-Id': given });
      assert.match(headers['x-request-id'] ?? '', UUID);
      assert.equal(body.id, headers['x-request-id']);
      ids.add(body.id);
    }
    assert.equal(ids.size, 4);
  });

  it('continues the trace of the request, also after the body is read', async () => {
    await using served = await serve(jsonBody(100), report);
    const { body } = await served.request.post('/').set('traceparent', TRACEPARENT).send({ message: 'x' });
    assert.match(body.next, new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[\\da-f]{16}-01$`));
  });

  it('ignores a traceparent that is missing, invalid or duplicated', async () => {
    await using served = await serve(report);
    for (const header of [undefined, 'nonsense', [TRACEPARENT, TRACEPARENT]]) {
      const request = served.request.get('/');
      const { body } = await (header === undefined ? request : request.set({ traceparent: header as string }));
      assert.equal(body.next, undefined);
    }
  });
});
