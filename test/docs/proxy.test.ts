/** The proxies of `docs/install.md` as servers in front of a BFF, and the syntax of the one that is not run. */

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { startDocumentedApache, startDocumentedCaddy, startDocumentedNginx, type Proxy } from '../deploy/_nginx.ts';
import { HOST, Visitor } from '../deploy/_visitor.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { codeBlocks } from './_documents.ts';

/** By the language of the block. */
const proxies: readonly (readonly [string, (port: number) => Promise<Proxy>])[] = [
  ['nginx', startDocumentedNginx], ['apache', startDocumentedApache], ['caddy', startDocumentedCaddy],
];

const CODE = 'a-code-of-a-sign-in';
const RETURN = `/vestibule/sync/return?code=${CODE}`;

/** A server that keeps requests instead of a BFF, and the proxy in front of it. */
async function startProxied(start: (port: number) => Promise<Proxy>) {
  const received: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    received.push(req);
    if (req.url?.includes('/provoked')) req.socket.resetAndDestroy();
    else req.resume().once('end', () => res.end('{}'));
  });
  const proxy = await start(Number(new URL(await listen(server)).port)).catch(async (error: unknown) => {
    await closeServer(server);
    throw error;
  });
  return {
    proxy,
    server,
    received,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      if (server.listening) await closeServer(server);
    },
  };
}

for (const [name, start] of proxies) {
  describe(`the ${name} configuration of the documentation`, () => {
    const stage = suiteResource(() => startProxied(start));
    const visitor = new Visitor('127.0.0.41');

    it('starts without an error', async () => {
      // Lines that name a client belong to the connection that waits for the start.
      const lines = (await stage().proxy.logs()).split('\n').filter((line) => !/\[client |client: /.test(line));
      assert.deepEqual(lines.filter((line) => /\[(?:warn|(?:\w+:)?(?:error|crit|alert|emerg))\]|"level":"error"/.test(line)), []);
    });

    it('passes path and query on unchanged, and the host', async () => {
      const { proxy, received } = stage();
      const { status } = await visitor.ask(proxy, RETURN);
      const { url, headers } = received.at(-1) ?? assert.fail('no request arrived');
      assert.deepEqual([status, url, headers.host, headers['x-forwarded-proto']], [200, RETURN, HOST, 'https']);
    });

    it('replaces the address that a client sends', async () => {
      const { proxy, received } = stage();
      await visitor.ask(proxy, '/vestibule/session', { headers: { 'X-Forwarded-For': '203.0.113.9' } });
      assert.equal(received.at(-1)?.headers['x-forwarded-for'], '127.0.0.41');
    });

    it('sends a POST once, and keeps serving after an error that a client provoked', async () => {
      const { proxy, received } = stage();
      const before = received.length;
      const { status } = await visitor.ask(proxy, '/vestibule/provoked', { body: {} });
      assert.ok(status >= 502, String(status));
      assert.equal(received.length, before + 1);
      assert.equal((await visitor.ask(proxy, '/vestibule/session')).status, 200);
    });

    it('takes the longest message that the BFF takes', async () => {
      const message = 'x'.repeat(150_000);
      assert.equal((await visitor.ask(stage().proxy, '/vestibule/posts', { body: { message } })).status, 200);
    });

    it('logs no code, also of requests that fail, and uses a BFF that is back at once', async () => {
      const { proxy, server } = stage();
      const { port } = server.address() as AddressInfo;
      await visitor.ask(proxy, `/vestibule/provoked?code=${CODE}`, { headers: { Referer: `https://${HOST}${RETURN}` } });
      await closeServer(server);
      assert.ok((await visitor.ask(proxy, RETURN)).status >= 502);
      await listen(server, { port });
      assert.equal((await visitor.ask(proxy, RETURN)).status, 200);
      let logs = await proxy.logs();
      while (!/\/vestibule\/provoked[^]*\/vestibule\/sync\/return/.test(logs)) logs = await proxy.logs();
      assert.ok(!logs.includes(CODE), logs);
    });
  });
}

describe('the traefik configuration of the documentation', async () => {
  const [block] = (await codeBlocks('yaml')).filter(({ code }) => code.includes('routers:'));

  it('names middlewares and services that it defines', () => {
    const { http } = parse(block?.code ?? '') as { http: { routers: Record<string, { service: string; middlewares: string[]; rule: string }>; middlewares: object; services: object } };
    for (const { service, middlewares, rule } of Object.values(http.routers)) {
      assert.ok(Object.hasOwn(http.services, service));
      for (const one of middlewares) assert.ok(Object.hasOwn(http.middlewares, one));
      assert.match(rule, /PathPrefix\(`\/vestibule\/`\)/);
    }
  });
});
