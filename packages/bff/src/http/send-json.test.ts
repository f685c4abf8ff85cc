import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { sendJson } from './send-json.ts';
import { serve } from './_serve.ts';

describe('sendJson', () => {
  it('sends the body with its type and its length in bytes', async () => {
    await using served = await serve((_req, res) => { sendJson(res, { name: 'Ada Füllhorn' }, 201); });
    const { status, headers, body } = await served.request.get('/');
    assert.deepEqual([status, headers['content-type'], headers['content-length']], [201, 'application/json; charset=utf-8', '24']);
    assert.deepEqual(body, { name: 'Ada Füllhorn' });
    assert.equal((await served.request.head('/')).headers['content-length'], '24');
  });

  it('answers every request of a turn, whoever went away in the meantime', async () => {
    await using served = await serve((req, res) => {
      if (req.path === '/gone') res.destroy();
      sendJson(res, { path: req.path });
    });
    const asked = ['/a', '/gone', '/b', '/c'].map((path) => (
      text(connect(served.port, '127.0.0.1').end(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`))
    ));
    const answers = await Promise.all(asked);
    assert.deepEqual(answers.map((answer) => answer.split('\r\n\r\n')[1]), ['{"path":"/a"}', undefined, '{"path":"/b"}', '{"path":"/c"}']);
  });
});
