/** What the BFF is measured against, each as a process of its own, named by the first argument:
 *
 *  - `http`: `node:http` that reads a body and answers JSON
 *  - `express`: an Express 5 route that does the same with `express.json` and `res.json`; Express as it comes
 *  - `forwarder`: Express 5, cookie-parser, `express.json`, and an undici `Pool` that sends the bytes which the BFF would
 *    send; it signs nothing, checks nothing and remembers nothing
 *  - `upstream`: the service, as little of it as answers: nothing is checked and nothing kept
 *
 *  `UPSTREAM` is where the forwarder sends to. The first line on standard output is JSON with the port. */

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import cookieParser from 'cookie-parser';
import express, { type Express } from 'express';
import { Pool } from 'undici';
import { posts } from './_posts-config.ts';

const session = {
  state: 'signed-in',
  user: { user_id: '31007', username: 'Reader 31007' },
  forum: 'news',
  limits: { message_max_length: 10_000 },
};

const post = (forum: string, message: string) => ({
  id: '5000000001', forum, message, author: { user_id: '31007', username: 'Reader 31007' }, createdAt: '2026-01-01T00:00:00.000Z',
});

const listeners: Readonly<Record<string, () => RequestListener>> = {
  http: plainListener, express: plainExpress, forwarder, upstream,
};

const listener = listeners[process.argv[2] ?? '']?.();
if (!listener) throw new Error('the first argument names what to run');
const server = createServer({ keepAliveTimeout: 60_000 }, listener);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
});
process.once('SIGTERM', () => process.exit());

function plainListener(): RequestListener {
  return (req, res) => {
    if (req.method === 'GET') answer(res, 200, session);
    else void readJson(req).then(({ forum, message }) => { answer(res, 201, { post: post(String(forum), String(message)) }); });
  };
}

function plainExpress(): Express {
  const app = express();
  app.get('/vestibule/session', (_req, res) => { res.json(session); });
  app.get('/vestibule/posts', (_req, res) => { res.json({ posts, next_cursor: '5000000020' }); });
  app.post('/vestibule/posts', express.json(), (req, res) => {
    const { forum, message } = req.body as Record<string, string>;
    res.status(201).json({ post: post(forum ?? '', message ?? '') });
  });
  return app;
}

function forwarder(): Express {
  const pool = new Pool(process.env['UPSTREAM'] ?? '', { connections: 256, pipelining: 1 });
  const headers = {
    authorization: `MAC id="${'0'.repeat(32)}", nonce="1700000000.123:${'0'.repeat(24)}", body-hash="${'0'.repeat(28)}", `
      + `mac="${'0'.repeat(28)}", access_token="${'0'.repeat(32)}"`,
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const app = express();
  app.use(cookieParser('a cookie secret that is thirty-two bytes long or more'), express.json());
  app.get('/vestibule/session', (_req, res) => { res.json(session); });
  app.post('/vestibule/posts', async (req, res) => {
    const { forum, message } = req.body as Record<string, string>;
    const { response } = await send('/api/3.0/posts/create.json', { forum: forum ?? '', message: message ?? '' });
    res.status(201).json({ post: response });
  });
  app.post('/vestibule/sync', (_req, res) => {
    res.cookie('vestibule', '0'.repeat(43), { signed: true, httpOnly: true, sameSite: 'strict' });
    res.status(201).json({ ...session, state: 'validating', form: { fields: [] } });
  });
  app.post('/vestibule/sync/validation', async (_req, res) => {
    await send('/api/oauth/2.0/access_token/', { grant_type: 'audiencesync', client_id: '0', client_secret: '0', redirect_uri: '0', code: '31007.0' });
    res.cookie('vestibule', '0'.repeat(43), { signed: true, httpOnly: true, sameSite: 'strict' });
    res.json({ outcome: 'accepted', completion_url: 'http://service.example/audiencesync/complete/' });
  });
  return app;

  async function send(path: string, params: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    const { body } = await pool.request({ method: 'POST', path, headers, body: new URLSearchParams(params).toString() });
    return await body.json() as Record<string, unknown>;
  }
}

function upstream(): RequestListener {
  return (req, res) => {
    void readText(req).then((text) => {
      const params = new URLSearchParams(text);
      if (req.url === '/api/oauth/2.0/access_token/') {
        const user_id = params.get('code')?.split('.')[0] ?? '';
        answer(res, 200, { access_token: '0f2d3c6f8a1b4e5f9a7c6d5e4f3a2b1c', user_id, username: `Reader ${user_id}` });
      } else {
        answer(res, 200, { code: 0, response: post(params.get('forum') ?? '', params.get('message') ?? '') });
      }
    });
  };
}

async function readJson(req: IncomingMessage): Promise<Record<string, unknown>> {
  return JSON.parse(await readText(req)) as Record<string, unknown>;
}

function readText(req: IncomingMessage): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk)).once('end', () => { resolve(Buffer.concat(chunks).toString('utf8')); });
  return promise;
}

function answer(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) }).end(text);
}
