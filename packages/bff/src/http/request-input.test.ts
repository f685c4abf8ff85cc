import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { serve } from './_serve.ts';
import type { Request } from 'express';
import {
  jsonObject, languagesOf, parseIdempotencyKey, parseInput, queryOf, requireForum, singleValue, text,
} from './request-input.ts';

const schema = z.strictObject({
  name: text,
  forum: text.optional(),
  answers: jsonObject,
  code: text.pipe(z.string().max(4, 'must hold at most 4 characters')).optional(),
});

const parse = (json: string) => parseInput(schema, JSON.parse(json) as unknown);

function detailOf(body: unknown): string {
  let detail = '';
  assert.throws(() => parseInput(schema, body), (error: { type: string; detail: string }) => {
    detail = error.detail;
    return error.type === 'invalid-request';
  });
  return detail;
}

describe('parseInput', () => {
  it('returns the members of the schema', () => {
    assert.deepEqual(parse('{"name":"a","forum":"b","answers":{"x":1}}'), { name: 'a', forum: 'b', answers: { x: 1 } });
    assert.deepEqual(parse('{"name":"","answers":{}}'), { name: '', answers: {} });
  });

  it('keeps the members of a JSON object, __proto__ included', () => {
    const { answers } = parse('{"name":"a","answers":{"__proto__":1}}');
    assert.deepEqual(Object.keys(answers), ['__proto__']);
  });

  it('refuses bodies that are not objects', () => {
    for (const body of [undefined, null, [], 'text', 5]) assert.equal(detailOf(body), 'The body must be a JSON object.');
  });

  it('refuses unknown members without naming them', () => {
    for (const member of ['canary', '__proto__', 'constructor', 'hasOwnProperty', 'toString']) {
      const body: unknown = JSON.parse(`{"name":"a","answers":{},"${member}":{}}`);
      assert.equal(detailOf(body), 'The body holds an unknown member.', member);
    }
  });

  it('names a missing member and a member of another type', () => {
    assert.equal(detailOf({ answers: {} }), 'name must be a text.');
    assert.equal(detailOf({ name: 'a' }), 'answers must be an object.');
    for (const name of [null, 5, {}, [], true]) assert.equal(detailOf({ name, answers: {} }), 'name must be a text.');
    for (const forum of [null, 5, {}]) assert.equal(detailOf({ name: 'a', forum, answers: {} }), 'forum must be a text.');
    for (const answers of [null, 5, [], 'a']) assert.equal(detailOf({ name: 'a', answers }), 'answers must be an object.');
  });

  it('names the rule of the schema', () => {
    assert.equal(detailOf({ name: 'a', answers: {}, code: 'canary' }), 'code must hold at most 4 characters.');
  });

  it('refuses lone surrogates', () => {
    for (const surrogates of [String.raw`\ud800`, String.raw`\udfff`, String.raw`a\udd8a\ud83e`]) {
      assert.throws(() => parse(`{"name":"${surrogates}","answers":{}}`), { type: 'invalid-request', detail: 'name must be well-formed Unicode.' });
    }
  });
});

describe('queryOf', () => {
  for (const [originalUrl, parameters] of [
    ['/sync', []],
    ['/sync?', []],
    ['/sync?code=a%20b&code=c', [['code', 'a b'], ['code', 'c']]],
    ['/sync?a[b]=c&d', [['a[b]', 'c'], ['d', '']]],
    ['/sync?page=/x?y=z', [['page', '/x?y=z']]],
  ] as const) {
    it(`reads ${originalUrl}`, () => {
      assert.deepEqual([...queryOf({ originalUrl } as Request)], parameters);
    });
  }
});

describe('singleValue', () => {
  it('returns the value of a parameter, or undefined', () => {
    const query = new URLSearchParams('a=1&b=');
    assert.deepEqual(['a', 'b', 'c'].map((name) => singleValue(query, name)), ['1', '', undefined]);
  });

  it('refuses a repeated parameter, even with the same value', () => {
    const query = new URLSearchParams('code=1&code=1');
    assert.throws(() => singleValue(query, 'code'), { type: 'invalid-request', detail: 'code is repeated.' });
  });
});

const serveLanguages = () => serve((req, res) => { res.json(languagesOf(req)); });

describe('languagesOf', () => {
  it('lists the tags of Accept-Language, best first', async () => {
    await using served = await serveLanguages();
    const ask = async (header: string) => (await served.request.get('/').set('Accept-Language', header)).body as unknown;
    assert.deepEqual(await ask('en;q=0.5, de-AT, de;q=0.9'), ['de-AT', 'de', 'en']);
    assert.deepEqual(await ask('zh-Hant-TW'), ['zh-Hant-TW']);
    assert.deepEqual(await ask('de-1996'), ['de-1996']);
  });

  it('leaves out what is no language tag, and what is not wanted', async () => {
    await using served = await serveLanguages();
    const ask = async (header: string) => (await served.request.get('/').set('Accept-Language', header)).body as unknown;
    assert.deepEqual(await ask('*, "><script>, de;q=0, fr, __proto__, x'), ['fr']);
    assert.deepEqual(await ask('1de, de_AT, de-A!'), []);
    assert.deepEqual(await ask(''), []);
  });

  it('reads no more than ten', async () => {
    await using served = await serveLanguages();
    const header = Array.from({ length: 500 }, (_, i) => `${String.fromCharCode(97 + i % 26)}${String.fromCharCode(97 + Math.floor(i / 26))}`).join();
    assert.equal(((await served.request.get('/').set('Accept-Language', header)).body as string[]).length, 10);
  });
});

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

  it('keeps quotes that do not enclose the key', async () => {
    await using served = await serveKey();
    for (const key of ['"12345678', '12345678"', '12345"12345678"', '"12345678"12345']) {
      assert.equal((await served.request.get('/').set('Idempotency-Key', key)).text, key);
    }
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

describe('requireForum', () => {
  it('returns the named forum, or the first one', () => {
    assert.equal(requireForum(['news', 'sport'], 'sport'), 'sport');
    assert.equal(requireForum(['news', 'sport'], undefined), 'news');
  });

  it('throws forum-not-allowed for any other name', () => {
    for (const forum of ['', 'News', 'other', 'length', '__proto__']) {
      assert.throws(() => requireForum(['news', 'sport'], forum), { type: 'forum-not-allowed' }, forum);
    }
    assert.throws(() => requireForum([], undefined), { type: 'forum-not-allowed' });
  });
});
