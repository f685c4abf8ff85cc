import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequestHandler } from 'express';
import { inOrder } from './in-order.ts';
import { serve } from './_serve.ts';

const append = (letter: string): RequestHandler => (_req, res, next) => {
  res.locals['word'] = `${String(res.locals['word'] ?? '')}${letter}`;
  next();
};

async function answerOf(...handlers: readonly RequestHandler[]): Promise<{ status: number; text: string }> {
  await using served = await serve(inOrder(...handlers), (_req, res) => { res.send(String(res.locals['word'])); });
  const { status, text } = await served.request.get('/');
  return { status, text };
}

describe('inOrder', () => {
  it('runs one after the other, then what comes after them', async () => {
    assert.equal((await answerOf(append('a'), append('b'), append('c'))).text, 'abc');
  });

  it('waits for one that takes its time', async () => {
    const later: RequestHandler = (_req, _res, next) => { setImmediate(next); };
    assert.equal((await answerOf(append('a'), later, append('b'))).text, 'ab');
  });

  it('ends where one answers', async () => {
    assert.equal((await answerOf(append('a'), (_req, res) => { res.send('enough'); }, append('b'))).text, 'enough');
  });

  for (const [how, handler] of Object.entries<RequestHandler>({
    throws: () => { throw new Error('no'); },
    rejects: () => Promise.reject(new Error('no')),
    'hands an error on': (_req, _res, next) => { next(new Error('no')); },
  })) {
    it(`leaves it to the router where one ${how}`, async () => {
      assert.equal((await answerOf(append('a'), handler, append('b'))).status, 500);
    });
  }
});
