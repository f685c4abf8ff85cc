import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import express, { type Request } from 'express';
import { isWithinJsonDepth } from '../lib/json.ts';
import { parseTraceParent } from '../lib/trace-context.ts';
import { DrainingServer } from '../server/draining-server.ts';
import { parseReturnUri } from '../sync/sync-return.ts';
import { Cookies } from './cookies.ts';
import { languagesOf } from './request-input.ts';
import { staticRouteLabel } from './static-files.ts';

/** What `maxHeaderSize` leaves to one header. */
const HEADER_BYTES = 16 * 1024 - 200;

/** The body of the longest message, fully escaped. */
const BODY_BYTES = 10_000 * 12 + 64 * 1024;

const app = express().set('query parser', 'simple');

function requestWith(headers: Readonly<Record<string, string>>, url = '/'): Request {
  return Object.assign(Object.create(app.request) as Request, { app, headers, url, originalUrl: url, method: 'GET' });
}

/** The application ignores longer headers of content negotiation. */
const NEGOTIATION_BYTES = 1_024;

const fill = (text: string, bytes = HEADER_BYTES) => text.repeat(Math.floor(bytes / text.length));

const cookies = new Cookies({ cookieSecrets: ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)], publicUrl: 'http://bff.example' });
const manyCookies = Array.from({ length: 400 }, (_, i) => `vestibule-sync-${i}=s%3Avestibule-sync-${i}.a.b`).join('; ');

const cases: Readonly<Record<string, () => unknown>> = {
  'Accept with many media types': () => requestWith({ accept: fill('a/b,', NEGOTIATION_BYTES) }).accepts(['application/json', 'application/problem+json']),
  'Accept with many parameters': () => requestWith({ accept: `text/html;${fill('a=b;', NEGOTIATION_BYTES)}` }).accepts('html'),
  'Accept with an open quote': () => requestWith({ accept: `text/html;a="${fill('\\', NEGOTIATION_BYTES)}` }).accepts('html'),
  'Accept-Language with many tags': () => languagesOf(requestWith({ 'accept-language': fill('de-AT;q=0.5,', NEGOTIATION_BYTES) })),
  'Accept-Language with one long tag': () => languagesOf(requestWith({ 'accept-language': fill('a-', NEGOTIATION_BYTES) })),
  'Accept-Encoding with many codings': () => requestWith({ 'accept-encoding': fill('a,', NEGOTIATION_BYTES) }).acceptsEncodings('br'),
  'Cookie with many pairs': () => cookies.read(requestWith({ cookie: fill('a=b; ') }), 'vestibule'),
  'Cookie with many cookies of ours': () => cookies.readAll(requestWith({ cookie: fill('vestibule-sync-a=s%3Ab.c; ') }), 'vestibule-sync-'),
  'Cookie with many different cookies of ours': () => cookies.readAll(requestWith({ cookie: manyCookies }), 'vestibule-sync-'),
  'Cookie with one long value': () => cookies.read(requestWith({ cookie: `vestibule=s%3Avestibule.${fill('%2E')}` }), 'vestibule'),
  'If-None-Match with many tags': () => Object.assign(requestWith({ 'if-none-match': fill('"a",') }), { res: { statusCode: 200, get: () => '"b"' } }).fresh,
  'a query with many parameters': () => requestWith({}, `/sync/return?${fill('a=b&')}`).query,
  'a query of escapes': () => requestWith({}, `/sync/return?code=${fill('%E4')}`).query,
  'a long return address': () => assert.throws(() => parseReturnUri(['https://www.example.com'], `https://www.example.com/${fill('../')}`)),
  'a return address of dots': () => parseReturnUri(['https://www.example.com'], `https://www.example.com/${fill('../', 4_000)}`),
  'a long path': () => staticRouteLabel(`/widget-${fill('.-')}`),
  'a long traceparent': () => parseTraceParent(fill('00-')),
  'deep JSON': () => isWithinJsonDepth(fill('[', BODY_BYTES)),
  'JSON with many quotes': () => isWithinJsonDepth(`["${fill('\\"', BODY_BYTES)}"]`),
  'JSON with many objects': () => isWithinJsonDepth(`[${fill('{},', BODY_BYTES)}{}]`),
};

describe('at its size limit', () => {
  for (const [name, parse] of Object.entries(cases)) {
    it(`${name} takes less than 5 ms`, () => {
      const durations = Array.from({ length: 10 }, () => {
        const beganAt = performance.now();
        parse();
        return performance.now() - beganAt;
      });
      assert.ok(Math.min(...durations) < 5, `${Math.min(...durations)} ms`);
    });
  }

  for (const [name, head] of [['one header', `X: ${fill('a')}\r\n`], ['many headers', fill('X: a\r\n', 5_400)]] as const) {
    it(`a request with ${name} is received and answered in less than 5 ms`, async () => {
      const { http } = new DrainingServer((_req, res) => { res.end(); }, { requestTimeoutMs: 30_000, maxConnections: 10 });
      using _ = { [Symbol.dispose]: () => { http.close().closeAllConnections(); } };
      await once(http.listen(0, '127.0.0.1'), 'listening');
      const socket = connect((http.address() as AddressInfo).port, '127.0.0.1').setNoDelay();
      const durations: number[] = [];
      for (let i = 0; i < 20; i += 1) {
        const beganAt = performance.now();
        socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${head}\r\n`);
        assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 200 /);
        durations.push(performance.now() - beganAt);
      }
      assert.ok(Math.min(...durations) < 5, `${Math.min(...durations)} ms`);
    });
  }
});
