import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isObject, isWithinJsonDepth, MAX_JSON_DEPTH } from './json.ts';

describe('isObject', () => {
  it('takes what has members, and neither null nor a list', () => {
    assert.deepEqual([{}, { a: 1 }, Object.create(null)].map(isObject), [true, true, true]);
    assert.deepEqual([null, undefined, [], 'a', 1, true].map(isObject), [false, false, false, false, false, false]);
  });
});

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('isWithinJsonDepth', () => {
  it('counts arrays and objects to the limit', () => {
    assert.equal(isWithinJsonDepth(nested(MAX_JSON_DEPTH)), true);
    assert.equal(isWithinJsonDepth(nested(MAX_JSON_DEPTH + 1)), false);
    assert.equal(isWithinJsonDepth('{"a":[{"b":[]}]}', 4), true);
    assert.equal(isWithinJsonDepth('{"a":[{"b":[]}]}', 3), false);
  });

  it('does not add up what lies side by side', () => {
    assert.equal(isWithinJsonDepth(`[${Array(1000).fill('[]').join()}]`, 2), true);
  });

  it('does not count brackets in strings, whatever is escaped there', () => {
    assert.equal(isWithinJsonDepth(String.raw`["[[[[", "\"[[[[", "\\"]`, 1), true);
    assert.equal(isWithinJsonDepth(String.raw`["\\", [[]]]`, 2), false);
    assert.equal(isWithinJsonDepth('["ü🦊[[["]', 1), true);
  });

  it('stops at a run of brackets that never close', () => {
    assert.equal(isWithinJsonDepth('['.repeat(16 * 1024)), false);
    assert.equal(isWithinJsonDepth('{"a":'.repeat(4 * 1024)), false);
  });

  it('agrees with a walk over the parsed value', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 7 }), (value, limit) => {
      assert.equal(isWithinJsonDepth(JSON.stringify(value), limit), depthOf(value) <= limit);
    }), { numRuns: 500 });
  });
});

function depthOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
}
