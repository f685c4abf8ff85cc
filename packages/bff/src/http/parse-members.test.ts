import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMembers } from './parse-members.ts';

const shape = { name: 'text', forum: 'text?', answers: 'object' } as const;
const parse = (text: string) => parseMembers(JSON.parse(text) as unknown, shape);

function detailOf(body: unknown): string {
  let detail = '';
  assert.throws(() => parseMembers(body, shape), (error: { type: string; detail: string }) => {
    detail = error.detail;
    return error.type === 'invalid-request';
  });
  return detail;
}

describe('parseMembers', () => {
  it('gives the members that were named', () => {
    assert.deepEqual(parse('{"name":"a","forum":"b","answers":{"x":1}}'), { name: 'a', forum: 'b', answers: { x: 1 } });
    assert.deepEqual(parse('{"name":"","answers":{}}'), { name: '', forum: undefined, answers: {} });
  });

  it('refuses what is no object', () => {
    for (const body of [undefined, null, [], 'text', 5]) assert.equal(detailOf(body), 'The body must be a JSON object.');
  });

  it('refuses a member that is not known, without naming it', () => {
    for (const member of ['canary', '__proto__', 'constructor', 'hasOwnProperty', 'toString']) {
      const body: unknown = JSON.parse(`{"name":"a","answers":{},"${member}":{}}`);
      assert.equal(detailOf(body), 'The body holds a member that is not known here.', member);
    }
  });

  it('refuses a missing member and one of another type, and names it', () => {
    assert.equal(detailOf({ answers: {} }), 'name must be a text.');
    assert.equal(detailOf({ name: 'a' }), 'answers must be an object.');
    for (const name of [null, 5, {}, [], true]) assert.equal(detailOf({ name, answers: {} }), 'name must be a text.');
    for (const forum of [null, 5, {}]) assert.equal(detailOf({ name: 'a', forum, answers: {} }), 'forum must be a text.');
    for (const answers of [null, 5, [], 'a']) assert.equal(detailOf({ name: 'a', answers }), 'answers must be an object.');
  });

  it('takes no inherited member for one that was sent', () => {
    assert.equal(detailOf(Object.create({ name: 'a', answers: {} })), 'name must be a text.');
  });

  it('refuses a lone surrogate', () => {
    for (const text of [String.raw`\ud800`, String.raw`\udfff`, String.raw`a\udd8a\ud83e`]) {
      assert.throws(() => parse(`{"name":"${text}","answers":{}}`), { type: 'invalid-request', detail: 'name must be well-formed Unicode.' });
    }
  });
});
