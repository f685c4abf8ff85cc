import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forRoutes, routeOf } from './route.ts';
import { serve } from './_serve.ts';

describe('routeOf', () => {
  it('knows the paths of the contract and of the static files, and no other word', async () => {
    await using served = await serve((req, res) => { res.send(routeOf(req, res)); });
    for (const [path, route] of Object.entries({
      '/session': '/session', '/session/': '/session', '/session?code=c0de': '/session', '/sync/return?code=c0de': '/sync/return',
      '/widget.js': '/widget.js', '/widget-0.1.0-abc123.js': '/widget-*.js', '/assets/engine-abc.js': '/assets/*',
      '/': 'other', '/SESSION': 'other', '/session//': 'other', '/session/x': 'other', '/c0de': 'other',
    })) {
      assert.equal((await served.request.get(path)).text, route, path);
    }
  });
});

describe('forRoutes', () => {
  it('asks the handler about its routes, whatever the query and the last slash, and lets the others by', async () => {
    await using served = await serve(
      forRoutes([{ path: '/posts' }, { path: '/session' }], (_req, res) => { res.send('asked'); }),
      (_req, res) => { res.send('passed'); },
    );
    for (const path of ['/posts', '/posts/', '/posts?a=b', '/session']) assert.equal((await served.request.get(path)).text, 'asked', path);
    for (const path of ['/', '/post', '/posts/x', '/sync']) assert.equal((await served.request.get(path)).text, 'passed', path);
  });
});
