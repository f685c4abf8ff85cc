import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isObject } from './json.ts';

describe('isObject', () => {
  it('takes what has members, and neither null nor a list', () => {
    assert.deepEqual([{}, { a: 1 }, Object.create(null)].map(isObject), [true, true, true]);
    assert.deepEqual([null, undefined, [], 'a', 1, true].map(isObject), [false, false, false, false, false, false]);
  });
});
