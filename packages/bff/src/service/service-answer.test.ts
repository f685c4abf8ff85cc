import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { jsonIfAny, jsonOf, problemOfFailure, problemOfStatus, serviceRefused } from './service-answer.ts';
import { NoAnswerError, OversizedAnswerError, type ServiceAnswer } from './service-http.ts';

function answer(body: string | Buffer, headers: ServiceAnswer['headers'] = {}, status = 200): ServiceAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(body) };
}

describe('jsonOf', () => {
  it('reads JSON under each of its media types', () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/vnd.x+json', 'text/json;a=b']) {
      assert.deepEqual(jsonOf(answer('{"a":1}', { 'content-type': type })), { a: 1 }, type);
    }
  });

  it('takes an empty body for nothing', () => {
    assert.equal(jsonOf(answer('', { 'content-type': 'text/html' })), undefined);
  });

  it('refuses everything else: bad-service-response', () => {
    const deep = '['.repeat(33) + ']'.repeat(33);
    for (const bad of [
      answer('{'), answer(deep), answer(Buffer.from('"\xff"', 'latin1')), answer(gzipSync('{}'), { 'content-encoding': 'gzip' }),
      answer('{}', { 'content-encoding': 'br' }), ...['text/html', 'application/jsonx', undefined, 'x; application/json'].map((type) => answer('{}', { 'content-type': type })),
    ]) {
      assert.throws(() => jsonOf(bad), { type: 'bad-service-response' });
      assert.equal(jsonIfAny(bad), undefined);
    }
  });
});

describe('problemOfStatus', () => {
  it('names what a status says by itself', () => {
    for (const [status, type] of [
      ...[200, 201, 299, 400, 401, 403, 404].map((status) => [status, undefined] as const),
      [100, 'bad-service-response'],
      [301, 'bad-service-response'], [304, 'bad-service-response'],
      [307, 'bad-service-response'], [308, 'bad-service-response'],
      [429, 'service-unavailable'], [503, 'service-unavailable'],
      [500, 'outcome-unknown'], [502, 'outcome-unknown'], [504, 'outcome-unknown'], [599, 'outcome-unknown'],
    ] as const) assert.equal(problemOfStatus(answer('', {}, status))?.type, type, String(status));
  });

  it('passes the service\'s Retry-After on where it is a number of seconds, bounded', () => {
    const after = (text: string) => problemOfStatus(answer('', { 'retry-after': text }, 503))?.retryAfterSeconds;
    assert.equal(after('17'), 17);
    assert.equal(after('0'), 1);
    assert.equal(after('999999'), 3600);
    for (const text of ['', 'soon', '-1', '1.5', 'Wed, 21 Oct 2026 07:28:00 GMT', '9999999']) {
      const seconds = after(text);
      assert.ok(Number.isInteger(seconds) && seconds! >= 1 && seconds! <= 10, `${text}: ${seconds}`);
    }
  });
});

describe('problemOfFailure', () => {
  it('is outcome-unknown where a byte may have gone out, and service-unavailable where none did', () => {
    assert.equal(problemOfFailure(new NoAnswerError(true, undefined)).type, 'outcome-unknown');
    const unavailable = problemOfFailure(new NoAnswerError(false, undefined));
    assert.equal(unavailable.type, 'service-unavailable');
    assert.ok(unavailable.retryAfterSeconds! >= 1);
  });

  it('is bad-service-response for too large an answer, and internal-error for what it does not know', () => {
    assert.equal(problemOfFailure(new OversizedAnswerError()).type, 'bad-service-response');
    assert.equal(problemOfFailure(new TypeError('a bug')).type, 'internal-error');
  });
});

describe('serviceRefused', () => {
  it('carries the service\'s words as one line of text', () => {
    assert.equal(serviceRefused('You are\r\n<b>banned</b>\u202e', new Error('cause')).detail, 'The comment service refused the request: You are <b>banned</b>');
    assert.ok(serviceRefused('x'.repeat(10_000), new Error('cause')).detail.length < 400);
  });

  it('has words of its own where the service has none', () => {
    for (const message of [undefined, null, 5, {}, '', '\0\n']) {
      assert.equal(serviceRefused(message, new Error('cause')).detail, 'The comment service refused the request.');
    }
  });
});
