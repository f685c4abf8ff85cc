import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import express from 'express';
import { publicPath } from './public-path.ts';
import { serve } from './_serve.ts';

const bff = () => express()
  .use(publicPath('https://www.example.com/a/b'))
  .use((req, res) => { res.send(req.url); });

describe('publicPath', () => {
  it('takes the path of the public address off, once, where the application is not mounted', async () => {
    await using served = await serve(bff());
    for (const [asked, seen] of [['/a/b/session?x=1', '/session?x=1'], ['/a/b/a/b/session', '/a/b/session'], ['/a/b/', '/']] as const) {
      assert.equal((await served.request.get(asked)).text, seen);
    }
  });

  it('leaves every other address as it is', async () => {
    await using served = await serve(bff());
    for (const asked of ['/session', '/a/bb/session', '/a/b', '/a/b?x', '/c/a/b/session']) {
      assert.equal((await served.request.get(asked)).text, asked);
    }
  });

  it('takes nothing off where the application is mounted', async () => {
    await using served = await serve(express().use('/a/b', bff()) as never);
    assert.equal((await served.request.get('/a/b/session')).text, '/session');
    assert.equal((await served.request.get('/a/b/a/b/session')).text, '/a/b/session');
  });
});
