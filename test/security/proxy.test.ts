/** The published nginx configurations under attacks on the BFF's readers and on its operator's logs. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { startNginx, startDocumentedNginx, type Proxy } from '../deploy/_nginx.ts';
import { HOST } from '../deploy/_visitor.ts';
import { RawConnection } from '../abuse/_raw-connection.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';

const configurations = [
  ['deploy/nginx.conf', (port: number) => startNginx([port, port])],
  ['the configuration of docs/install.md', startDocumentedNginx],
] as const;

const MAX_CONNECTIONS = 100;

const MAX_BODY_BYTES = 512 * 1024;

for (const [name, start] of configurations) {
  describe(name, () => {
    let bff: Server;
    let nginx: Proxy;
    let waiting: ServerResponse[];
    beforeEach(async () => {
      waiting = [];
      bff = createServer((req, res) => {
        if (req.url?.includes('/provoked')) req.socket.resetAndDestroy();
        else if (req.url?.includes('/slow')) waiting.push(res);
        else res.end();
      });
      nginx = await start(Number(new URL(await listen(bff)).port));
    });
    afterEach(async () => {
      await nginx[Symbol.asyncDispose]();
      if (bff.listening) await closeServer(bff);
    });

    /** Sends a request from an address and waits for its status. */
    async function ask(path: string, { from = '127.0.0.31', headers = '' } = {}): Promise<number | undefined> {
      const connection = await open(path, { from, headers });
      await connection.responses(1, 10_000);
      connection.abort();
      return connection.statuses[0];
    }

    async function open(path: string, { from = '127.0.0.31', headers = '' } = {}): Promise<RawConnection> {
      const connection = await RawConnection.open({ port: nginx.httpsPort, certificate: nginx.certificate }, from);
      connection.write(`GET /vestibule/${path} HTTP/1.1\r\nHost: ${HOST}\r\n${headers}\r\n`);
      return connection;
    }

    it('security review 1: errors that a client provokes take no BFF out of service', async () => {
      for (let i = 0; i < 5; i += 1) assert.equal(await ask('provoked'), 502);
      assert.equal(await ask('session', { from: '127.0.0.32' }), 200);
    });

    it('security review 12: no log contains a code, of accepted, refused and failed requests', async () => {
      const code = 'a-code-of-a-sign-in';
      const path = `sync/return?code=${code}`;
      assert.equal(await ask(path), 200);
      assert.equal(await ask(`${path}&x=/provoked`), 502);
      assert.equal(await ask(`${path}&${'a'.repeat(9_000)}`), 414);
      assert.equal(await ask(path, { headers: `X-Large: ${'a'.repeat(9_000)}\r\n` }), 400);
      const held = await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => open(`${path}&x=/slow`)));
      while (waiting.length < MAX_CONNECTIONS) await once(bff, 'request');
      assert.equal(await ask(path), 429);
      for (const connection of held) connection.abort();
      await closeServer(bff);
      assert.equal(await ask(path, { from: '127.0.0.32' }), 502);
      const logs = await nginx.logs();
      assert.match(logs, /\/vestibule\/sync\/return/);
      assert.ok(!logs.includes(code));
    });

    it('refuses a body beyond 512 KiB by its announced length, and sends nothing of it to the BFF', async () => {
      let received = 0;
      bff.on('request', () => { received += 1; });
      const postOf = (bytes: number) => `POST /vestibule/posts HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: ${bytes}\r\n\r\n`;
      for (const [bytes, status] of [[MAX_BODY_BYTES + 1, 413], [MAX_BODY_BYTES, 200]] as const) {
        const connection = await RawConnection.open({ port: nginx.httpsPort, certificate: nginx.certificate }, '127.0.0.31');
        connection.write(postOf(bytes) + (status === 200 ? 'a'.repeat(bytes) : ''));
        await connection.responses(1, 10_000);
        assert.deepEqual(connection.statuses, [status]);
        connection.abort();
      }
      assert.equal(received, 1);
    });

    it(`serves others while one address has ${MAX_CONNECTIONS} requests in flight, and refuses it more`, async () => {
      const held = await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => open('slow')));
      while (waiting.length < MAX_CONNECTIONS) await once(bff, 'request');
      assert.equal(await ask('session'), 429);
      assert.equal(await ask('session', { from: '127.0.0.32' }), 200);
      for (const connection of held) connection.abort();
    });
  });
}
