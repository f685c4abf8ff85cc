import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RequestHandler } from 'express';
import { byEndpoint } from './by-endpoint.ts';
import { done, serve } from './_serve.ts';

const say = (text: string): RequestHandler => (_req, res) => { res.end(text); };

const serveNotes = () => serve(byEndpoint(
  [{ method: 'GET', path: '/session' }, say('read')],
  [{ method: 'DELETE', path: '/session' }, say('deleted')],
  [{ method: 'POST', path: '/posts' }, async () => { throw new Error('no'); }],
), done);

describe('byEndpoint', () => {
  it('finds the handler by path and method, HEAD by GET', async () => {
    await using served = await serveNotes();
    assert.equal((await served.request.get('/session')).text, 'read');
    assert.equal((await served.request.get('/session/?a=b')).text, 'read');
    assert.equal((await served.request.delete('/session')).text, 'deleted');
    assert.equal((await served.request.head('/session')).status, 200);
  });

  it('answers a known address that is asked in another way with the methods that it takes', async () => {
    await using served = await serveNotes();
    for (const [method, path, allow] of [
      ['post', '/session', 'GET, HEAD, DELETE'], ['options', '/session', 'GET, HEAD, DELETE'], ['get', '/posts', 'POST'], ['head', '/posts', 'POST'],
    ] as const) {
      const res = await served.request[method](path);
      assert.deepEqual([res.status, res.headers['allow']], [405, allow]);
    }
  });

  it('lets every other address go past', async () => {
    await using served = await serveNotes();
    for (const path of ['/', '/comments', '/constructor', '/session/more']) assert.equal((await served.request.get(path)).status, 204);
  });

  it('hands on what a handler throws', async () => {
    await using served = await serveNotes();
    assert.equal((await served.request.post('/posts')).status, 500);
  });
});
