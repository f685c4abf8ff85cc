import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import express, { type Request } from 'express';
import { isWithinJsonDepth } from '../lib/json.ts';
import { parseTraceParent } from '../lib/trace-context.ts';
import { parseReturnUri } from '../sync/sync-return.ts';
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

const cases: Readonly<Record<string, () => unknown>> = {
  'Accept with many media types': () => requestWith({ accept: fill('a/b,', NEGOTIATION_BYTES) }).accepts(['application/json', 'application/problem+json']),
  'Accept with many parameters': () => requestWith({ accept: `text/html;${fill('a=b;', NEGOTIATION_BYTES)}` }).accepts('html'),
  'Accept with an open quote': () => requestWith({ accept: `text/html;a="${fill('\\', NEGOTIATION_BYTES)}` }).accepts('html'),
  'Accept-Language with many tags': () => languagesOf(requestWith({ 'accept-language': fill('de-AT;q=0.5,', NEGOTIATION_BYTES) })),
  'Accept-Language with one long tag': () => languagesOf(requestWith({ 'accept-language': fill('a-', NEGOTIATION_BYTES) })),
  'Accept-Encoding with many codings': () => requestWith({ 'accept-encoding': fill('a,', NEGOTIATION_BYTES) }).acceptsEncodings('br'),
  'If-None-Match with many tags': () => requestWith({ 'if-none-match': fill('"a",') }).headers['if-none-match']?.split(',').length,
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
});
