import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodePairs, exactly, ParamsError, unique } from './params.ts';

describe('decodePairs', () => {
  it('decodes UTF-8, keeps the order and what is empty, and takes + for a space', () => {
    assert.deepEqual(decodePairs('b=%C3%BC+%2B&a=&b=1=2'), [['b', 'ü +'], ['a', ''], ['b', '1=2']]);
    assert.deepEqual(decodePairs(''), []);
  });

  it('keeps a byte order mark', () => {
    assert.deepEqual(decodePairs('a=%EF%BB%BFx'), [['a', '\ufeffx']]);
  });

  for (const encoded of ['a', '=1', '&', 'a=1&', 'a=%', 'a=%2', 'a=%zz', 'a=%FF', 'a=%C3', 'a=%ED%A0%80', 'a=ü']) {
    it(`refuses ${encoded}`, () => {
      assert.throws(() => decodePairs(encoded), ParamsError);
    });
  }
});

describe('exactly', () => {
  it('wants each parameter once and none besides', () => {
    assert.deepEqual(exactly([['a', '1'], ['b', '2']], ['b', 'a']), { b: '2', a: '1' });
    assert.throws(() => exactly([['a', '1']], ['a', 'b']), /b is missing/);
    assert.throws(() => exactly([['a', '1'], ['c', '2']], ['a']), ParamsError);
    assert.throws(() => unique([['a', '1'], ['a', '1']]), /twice/);
  });
});
