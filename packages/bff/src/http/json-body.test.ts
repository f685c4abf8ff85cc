import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { describe, it } from 'node:test';
import express, { type RequestHandler } from 'express';
import { acceptsJson, jsonBody } from './json-body.ts';
import { done, serve, type Served } from './_serve.ts';

const serveBody = (maxLength = 10) => (
  serve(jsonBody(maxLength), (req, res) => { res.json({ body: (req.body as unknown) ?? null }); })
);

interface Outcome { readonly status: number; readonly body?: unknown; readonly type?: string }

async function send(served: Served, body: string | Buffer, contentType = 'application/json', headers: Record<string, string> = {}): Promise<Outcome> {
  const request = served.request.post('/').set('Content-Type', contentType).set(headers).serialize((text) => text as string);
  const res = await request.send(body);
  const answer = res.body as { body?: unknown; type?: string; status?: number };
  if (answer.status !== undefined) assert.equal(res.status, answer.status);
  return { status: res.status, ...(answer.type === undefined ? { body: answer.body } : { type: answer.type.replace('urn:vestibule:', '') }) };
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('acceptsJson', () => {
  it('passes requests on whose client accepts JSON or problem details', async () => {
    await using served = await serve(acceptsJson, done);
    for (const accept of [
      'application/json', 'application/problem+json', 'application/*', '*/*', 'text/html, application/json;q=0.1',
    ]) {
      assert.equal((await served.request.get('/').set('Accept', accept)).status, 204, accept);
    }
    assert.equal((await served.request.get('/')).status, 204);
  });

  it('refuses the others: not-acceptable', async () => {
    await using served = await serve(acceptsJson, done);
    for (const accept of ['text/html', 'application/xml, text/*', 'application/json;q=0']) {
      const { status, body } = await served.request.get('/').set('Accept', accept);
      assert.deepEqual([status, (body as { type: string }).type], [406, 'urn:vestibule:not-acceptable'], accept);
    }
  });
});

describe('jsonBody', () => {
  it('parses JSON, whatever the case of its media type, with or without its character set', async () => {
    await using served = await serveBody();
    for (const type of [
      'application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8',
      'application/json ; charset="utf-8"', 'application/json;', 'application/json ;',
    ]) {
      assert.deepEqual(await send(served, '{"a":"ü🦊"}', type), { status: 200, body: { a: 'ü🦊' } }, type);
    }
  });

  it('takes a byte order mark for none of the text (RFC 8259, 8.1)', async () => {
    await using served = await serveBody();
    assert.deepEqual(await send(served, '\u{feff}{"a":"\u{feff}"}'), { status: 200, body: { a: '\u{feff}' } });
  });

  it('accepts a request without a body', async () => {
    await using served = await serveBody();
    for (const type of ['application/json', 'text/plain']) {
      assert.equal((await served.request.post('/').set('Content-Type', type)).status, 200);
      assert.equal((await served.request.get('/').set('Content-Type', type)).status, 200);
    }
  });

  it('refuses a body of another type: unsupported-media-type', async () => {
    await using served = await serveBody();
    for (const type of [
      'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonx', 'application/json-patch+json',
      'text/plain; application/json', 'application/json, text/plain',
    ]) assert.deepEqual(await send(served, '{}', type), { status: 415, type: 'unsupported-media-type' }, type);
  });

  it('refuses a body of no type, also one that comes in chunks: unsupported-media-type', async () => {
    await using served = await serveBody();
    for (const framing of ['Content-Length: 2\r\n\r\n{}', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n']) {
      assert.match(await exchange(served.port, `POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${framing}`), /^HTTP\/1\.1 415 /);
    }
  });

  it('refuses compression and other character sets: unsupported-media-type', async () => {
    await using served = await serveBody();
    const refused = { status: 415, type: 'unsupported-media-type' };
    assert.deepEqual(await send(served, gzipSync('{}'), 'application/json', { 'Content-Encoding': 'gzip' }), refused);
    for (const charset of ['latin1', 'utf-16', 'utf-32', 'nonsense', 'utf-8859', 'utf-8;charset=latin1']) {
      assert.deepEqual(await send(served, '{}', `application/json; charset=${charset}`), refused, charset);
    }
  });

  it('refuses what is no JSON, and JSON that is no object or list: invalid-request', async () => {
    await using served = await serveBody();
    for (const text of ['{', 'nonsense', '{"a":1,}', "{'a':1}", '"text"', '5', 'null', 'true', '\u{feff}{}x', '{}{}', ' ']) {
      assert.deepEqual(await send(served, text), { status: 400, type: 'invalid-request' }, text);
    }
  });

  it('refuses bytes that are no UTF-8: invalid-request', async () => {
    await using served = await serveBody();
    assert.deepEqual(await send(served, Buffer.from('{"a":"\xff"}', 'latin1')), { status: 400, type: 'invalid-request' });
  });

  it('refuses JSON that nests too deep: invalid-request', async () => {
    await using served = await serveBody(10_000);
    assert.equal((await send(served, nested(32))).status, 200);
    for (const text of [nested(33), '['.repeat(16 * 1024), `{"message":${nested(10_000)}}`, `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`]) {
      assert.deepEqual(await send(served, text), { status: 400, type: 'invalid-request' });
    }
  });

  it('takes the longest message however it is escaped, and refuses a body well over it: payload-too-large', async () => {
    await using served = await serveBody(20_000);
    assert.equal((await send(served, JSON.stringify({ message: '' }).replace('""', `"${'\\ud83e\\udd8a'.repeat(20_000)}"`))).status, 200);
    assert.deepEqual(await send(served, `"${'x'.repeat(20_000 * 12 + 64 * 1024)}"`), { status: 413, type: 'payload-too-large' });
  });

  it('takes what another parser has read: an object, a text, bytes', async () => {
    for (const parser of [express.json(), express.text({ type: () => true }), express.raw({ type: () => true })]) {
      await using served = await serve(parser, jsonBody(10), (req, res) => { res.json({ body: req.body as unknown }); });
      assert.deepEqual(await send(served, '{"a":"ü"}'), { status: 200, body: { a: 'ü' } });
      assert.deepEqual(await send(served, nested(33)), { status: 400, type: 'invalid-request' });
    }
  });

  it('passes a body on that another parser has read and dropped', async () => {
    const drop: RequestHandler = (req, _res, next) => {
      Object.assign(req, { _body: true });
      req.resume().once('end', next);
    };
    await using served = await serve(drop, jsonBody(10), (req, res) => { res.json({ body: typeof req.body }); });
    assert.deepEqual(await send(served, '{}'), { status: 200, body: 'undefined' });
  });

  it('refuses what another parser has read where it is no JSON: invalid-request', async () => {
    for (const parser of [express.text({ type: () => true }), express.raw({ type: () => true })]) {
      await using served = await serve(parser, jsonBody(10), (req, res) => { res.json({ body: req.body as unknown }); });
      for (const text of ['{', '5', 'null']) assert.deepEqual(await send(served, text), { status: 400, type: 'invalid-request' });
    }
  });
});

/** What comes back for these bytes. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}
