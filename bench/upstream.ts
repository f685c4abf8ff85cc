/** A service that grants every code, creates every post and checks nothing. Its first line of output is JSON with the port. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
  void text(req).then((body) => {
    const params = new URLSearchParams(body);
    const user_id = params.get('code')?.split('.')[0] ?? '';
    const json = JSON.stringify(req.url === '/api/oauth/2.0/access_token/'
      ? { access_token: '0f2d3c6f8a1b4e5f9a7c6d5e4f3a2b1c', user_id, username: `Reader ${user_id}` }
      : { code: 0, response: { id: '5000000001', forum: params.get('forum'), message: params.get('message'), createdAt: '2026-01-01T00:00:00.000Z' } });
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) }).end(json);
  });
});
server.listen(0, '127.0.0.1', () => { console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })); });
process.once('SIGTERM', () => process.exit());
