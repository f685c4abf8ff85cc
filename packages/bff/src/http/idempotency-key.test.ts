import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { serve } from './_serve.ts';
import { parseIdempotencyKey } from './request-input.ts';

const serveKey = () => serve((req, res) => { res.send(parseIdempotencyKey(req)); });

describe('parseIdempotencyKey', () => {
  it('takes 8 to 128 visible ASCII characters', async () => {
    await using served = await serveKey();
    for (const key of ['12345678', 'x'.repeat(128), '!#$%&()*+,-./:;<=>?@[]^_`{|}~', `it's-fine`]) {
      const res = await served.request.get('/').set('Idempotency-Key', key);
      assert.deepEqual([res.status, res.text], [200, key]);
    }
  });

  it('reads the quoted and the bare form as one key', async () => {
    await using served = await serveKey();
    assert.equal((await served.request.get('/').set('Idempotency-Key', '"12345678"')).text, '12345678');
    assert.equal((await served.request.get('/').set('Idempotency-Key', String.raw`"1234\"5\\678"`)).text, String.raw`1234"5\678`);
  });

  it('refuses every other: invalid-request, without the key', async () => {
    await using served = await serveKey();
    for (const key of ['', '1234567', '"1234567"', 'x'.repeat(129), `"${'x'.repeat(129)}"`, 'with space', '"with space"', 'ümlaut-ü', '""', '"', 'tab\t45678']) {
      const res = await served.request.get('/').set('Idempotency-Key', key);
      assert.equal(res.status, 400, key);
      const { type, detail } = res.body as { type: string; detail: string };
      assert.deepEqual([type, detail], ['urn:vestibule:invalid-request', 'Idempotency-Key must hold 8 to 128 visible ASCII characters.']);
    }
    assert.equal((await served.request.get('/')).status, 400);
  });

  it('refuses a key that is sent twice, even the same', async () => {
    await using served = await serveKey();
    const socket = connect(served.port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => { answer += String(chunk); });
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nIdempotency-Key: 12345678\r\nIdempotency-Key: 12345678\r\n\r\n');
    await once(socket, 'close');
    assert.match(answer, /^HTTP\/1\.1 400 /);
  });
});
