import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { jsonObject, parseBody, text } from './request-input.ts';

const schema = z.strictObject({
  name: text,
  forum: text.optional(),
  answers: jsonObject,
  code: text.pipe(z.string().max(4, 'must hold at most 4 characters')).optional(),
});

const parse = (json: string) => parseBody(schema, JSON.parse(json) as unknown);

function detailOf(body: unknown): string {
  let detail = '';
  assert.throws(() => parseBody(schema, body), (error: { type: string; detail: string }) => {
    detail = error.detail;
    return error.type === 'invalid-request';
  });
  return detail;
}

describe('parseBody', () => {
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
