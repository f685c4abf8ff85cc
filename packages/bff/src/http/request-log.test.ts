import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import type { RequestHandler } from 'express';
import { pino } from 'pino';
import { createLog } from '../log.ts';
import { contextOf, requestLog, type RequestLogDeps } from './request-context.ts';
import { ProblemError } from './problem-error.ts';
import { done, serve } from './_serve.ts';

type Line = Readonly<Record<string, unknown>>;

const noMetrics: RequestLogDeps['metrics'] = { began: () => undefined, ended: () => undefined };

/** Serves `handler` behind the log; `next()` is the next line. */
async function serveLogged(handler: RequestHandler, level = 'info', metrics = noMetrics) {
  const lines: Line[] = [];
  const waiting: ((line: Line) => void)[] = [];
  const stream = new Writable({
    write(chunk, _encoding, written) {
      const line = JSON.parse(String(chunk)) as Line;
      lines.push(line);
      waiting.shift()?.(line);
      written();
    },
  });
  const log = createLog(level, stream);
  const served = await serve(requestLog({ log, metrics, logIdOf: (userId) => `hash of ${userId}` }), handler);
  return { served, lines, next: () => new Promise<Line>((resolve) => { waiting.push(resolve); }) };
}

describe('requestLog', () => {
  it('writes one line per request: id, method, route, status, duration', async () => {
    const { served, lines, next } = await serveLogged(done);
    await using _ = served;
    const line = next();
    const { headers } = await served.request.post('/posts');
    const { request_id, method, route, status, ms, level, msg } = await line;
    assert.deepEqual({ request_id, method, route, status, level, msg }, {
      request_id: headers['x-request-id'], method: 'POST', route: '/posts', status: 204, level: 30, msg: 'request',
    });
    assert.ok(typeof ms === 'number' && ms >= 0);
    assert.equal(lines.length, 1);
  });

  it('has no member for what a request does not have: a trace, a problem, a reader', async () => {
    const { served, next } = await serveLogged(done);
    await using _ = served;
    const line = next();
    await served.request.get('/session');
    assert.deepEqual(Object.keys(await line), ['level', 'time', 'request_id', 'method', 'route', 'status', 'ms', 'msg']);
  });

  it('leaves the members of a host\'s logger where a request has none', async () => {
    const host = { client_request_id: 'of the host', trace_id: 'of the host', problem: 'of the host', user: 'of the host' };
    const line = Promise.withResolvers<Line>();
    const log = pino({ mixin: () => ({ ...host }) }, { write: (text: string) => { line.resolve(JSON.parse(text) as Line); } });
    await using served = await serve(requestLog({ log, metrics: noMetrics, logIdOf: String }), done);
    await served.request.get('/session');
    assert.partialDeepStrictEqual(await line.promise, host);
  });

  it('has the trace, the problem, and a hash that stands for the reader', async () => {
    const { served, next } = await serveLogged((req) => {
      contextOf(req).userId = '31007';
      throw new ProblemError('post-rejected');
    });
    await using _ = served;
    const line = next();
    await served.request.post('/posts').set('traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
    const { trace_id, problem, user } = await line;
    assert.deepEqual({ trace_id, problem, user }, {
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', problem: 'post-rejected', user: 'hash of 31007',
    });
  });

  it('counts a request from its begin to its end; the line has the duration in tenths of a millisecond', async (t) => {
    let now = 1_000;
    t.mock.method(performance, 'now', () => now);
    const observed: unknown[] = [];
    const metrics: RequestLogDeps['metrics'] = {
      began: () => { observed.push('began'); },
      ended: (request) => { observed.push(request); },
    };
    const { served, next } = await serveLogged((_req, res) => {
      observed.push('handled');
      now += 12.375;
      res.status(204).end();
    }, 'info', metrics);
    await using _ = served;
    const line = next();
    await served.request.get('/session');
    assert.equal((await line)['ms'], 12.4);
    const ended = { route: '/session', method: 'GET', status: 204, aborted: false, ms: 12.375 };
    assert.deepEqual(observed, ['began', 'handled', ended]);
  });

  it('has the X-Request-Id of a client or proxy as a member of its own, unless it could forge a line', async () => {
    const { served, next } = await serveLogged(done);
    await using _ = served;
    for (const [given, logged] of [
      ['proxy-1:2.3_4', 'proxy-1:2.3_4'], ...['short', 'x'.repeat(65), 'with space!', '{"level":60}', 'a,b,c,d,e'].map((id) => [id, undefined] as const),
    ] as const) {
      const line = next();
      const { headers } = await served.request.get('/').set('X-Request-Id', given);
      const { request_id, client_request_id } = await line;
      assert.deepEqual([request_id, client_request_id], [headers['x-request-id'], logged]);
    }
  });

  it('contains the route of a URL, never the URL', async () => {
    const { served, next } = await serveLogged(done);
    await using _ = served;
    for (const [address, route] of [
      ['/sync/return?code=canary', '/sync/return'], ['/session/', '/session'], ['/widget.js', '/widget.js'], ['/assets/canary.js', '/assets/*'],
      ['/widget-1.2.3-0a1b2c3d.js', '/widget-*.js'], ['/canary', 'other'], ['/', 'other'], ['/sync/return/canary', 'other'], ['/%0a%22canary', 'other'],
    ]) {
      const line = next();
      await served.request.get(address as string).set('Referer', 'https://canary.example/').set('User-Agent', 'canary').set('Cookie', 'canary=1');
      assert.equal((await line)['route'], route, address);
      assert.doesNotMatch(JSON.stringify(await line), /canary/);
    }
  });

  it('ignores res.locals, which a host application shares', async () => {
    const { served, next } = await serveLogged((_req, res) => {
      Object.assign(res.locals, { route: 'canary', requestId: 'canary', traceId: 'canary', problem: 'canary' });
      res.status(204).end();
    });
    await using _ = served;
    const line = next();
    await served.request.get('/session');
    assert.doesNotMatch(JSON.stringify(await line), /canary/);
  });

  it('has the method; uncommon ones are other', async () => {
    const { served, next } = await serveLogged(done);
    await using _ = served;
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPPATCH']) {
      const line = next();
      const socket = connect(served.port, '127.0.0.1');
      socket.end(`${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      assert.equal((await line)['method'], method === 'PROPPATCH' ? 'other' : method);
    }
  });

  it('marks requests whose client disconnected before the response', async () => {
    const { served, next } = await serveLogged(() => undefined);
    await using _ = served;
    const line = next();
    const socket = connect(served.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /session HTTP/1.1\r\nHost: a\r\n\r\n', () => { socket.destroy(); });
    assert.equal((await line)['aborted'], true);
  });

  it('logs health checks at debug', async () => {
    const quiet = await serveLogged(done);
    const loud = await serveLogged(done, 'debug');
    await using _ = quiet.served;
    await using __ = loud.served;
    await quiet.served.request.get('/healthz');
    const line = quiet.next();
    await quiet.served.request.get('/session');
    assert.equal((await line)['route'], '/session');
    assert.equal(quiet.lines.length, 1);
    const checked = loud.next();
    await loud.served.request.get('/readyz');
    assert.deepEqual([(await checked)['route'], (await checked)['level']], ['/readyz', 20]);
  });
});
