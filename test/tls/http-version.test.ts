import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { HttpTransport } from '../../packages/bff/src/service/http-transport.ts';
import { makeSelfSigned } from './self-signed.ts';

describe('HttpTransport', () => {
  it('uses HTTP/1.1 if the service offers HTTP/2 too: over HTTP/2, undici repeats refused requests', async () => {
    const { certificate, key } = makeSelfSigned();
    setDefaultCACertificates([...getCACertificates(), certificate]);
    const versions: string[] = [];
    const server = createSecureServer({ cert: certificate, key, allowHTTP1: true }, (req, res) => {
      versions.push(req.httpVersion);
      res.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await using transport = new HttpTransport({ origin, connectTimeoutMs: 2_000, connections: 1 });
    await transport.send({ method: 'POST', path: '/', headers: {}, body: 'body' }, AbortSignal.timeout(5_000));
    assert.deepEqual(versions, ['1.1']);
    server.close();
  });
});
