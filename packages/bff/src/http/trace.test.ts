import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequestHandler } from 'express';
import { nextTraceParent } from '../lib/trace-context.ts';
import { jsonBody } from './json-body.ts';
import { takeTrace, traceIdOf } from './trace.ts';
import { serve } from './_serve.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const HEADER = `00-${TRACE}-00f067aa0ba902b7-01`;

const tell: RequestHandler = (_req, res) => { res.json({ traceId: traceIdOf(res), next: nextTraceParent() }); };

describe('takeTrace', () => {
  it('carries the trace of a request along, through a body that is read', async () => {
    await using served = await serve(takeTrace, jsonBody(100), tell);
    const { body } = await served.request.post('/').set('traceparent', HEADER).send({ message: 'x' });
    assert.equal(body.traceId, TRACE);
    assert.match(body.next, new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[\\da-f]{16}-01$`));
  });

  it('knows no trace where the header is missing, not valid, or comes twice', async () => {
    await using served = await serve(takeTrace, tell);
    for (const header of [undefined, 'nonsense', [HEADER, HEADER]]) {
      const request = served.request.get('/');
      const { body } = await (header === undefined ? request : request.set({ traceparent: header as string }));
      assert.deepEqual(body, {});
    }
  });
});
