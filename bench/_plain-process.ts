/**
 * Processes that a benchmark needs, named by the first argument:
 *
 *  - `express`: one Express 5 route that sends the list of posts with `res.json`, as Express comes
 *  - `upstream`: a service that grants every code and creates every post, and checks nothing
 *
 * The first line on standard output is JSON with the port.
 */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import express, { type Express } from 'express';
import { posts } from './_posts-config.ts';

const listeners: Readonly<Record<string, () => RequestListener>> = { express: bareExpress, upstream };

const listener = listeners[process.argv[2] ?? '']?.();
if (!listener) throw new Error('The first argument names what to run.');
const server = createServer({ keepAliveTimeout: 60_000 }, listener);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.once('SIGTERM', () => process.exit());

function bareExpress(): Express {
  const app = express();
  app.get('/vestibule/posts', (_req, res) => { res.json({ posts, next_cursor: '5000000020' }); });
  return app;
}

function upstream(): RequestListener {
  return (req, res) => {
    void text(req).then((body) => {
      const params = new URLSearchParams(body);
      const user_id = params.get('code')?.split('.')[0] ?? '';
      const json = JSON.stringify(req.url === '/api/oauth/2.0/access_token/'
        ? { access_token: '0f2d3c6f8a1b4e5f9a7c6d5e4f3a2b1c', user_id, username: `Reader ${user_id}` }
        : { code: 0, response: { id: '5000000001', forum: params.get('forum'), message: params.get('message'), createdAt: '2026-01-01T00:00:00.000Z' } });
      res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) }).end(json);
    });
  };
}
