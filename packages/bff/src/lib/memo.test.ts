import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Memo } from './memo.ts';

/** A function that counts how often it is asked. */
function counting<V>(give: (text: string) => V) {
  const make = (text: string): V => {
    make.asked.push(text);
    return give(text);
  };
  make.asked = [] as string[];
  return make;
}

describe('Memo', () => {
  it('asks once for each text', () => {
    const memo = new Memo<number>(10);
    const length = counting((text) => text.length);
    assert.deepEqual(['a', 'bb', 'a', 'bb', 'a'].map((text) => memo.get(text, length)), [1, 2, 1, 2, 1]);
    assert.deepEqual(length.asked, ['a', 'bb']);
  });

  it('does not remember undefined', () => {
    const memo = new Memo<number>(10);
    const nothing = counting(() => undefined);
    memo.get('a', nothing);
    memo.get('a', nothing);
    assert.deepEqual(nothing.asked, ['a', 'a']);
  });

  it('remembers what is asked again and again, however much else is asked', () => {
    const memo = new Memo<number>(4);
    const length = counting((text) => text.length);
    for (let i = 0; i < 100; i += 1) {
      memo.get('often', length);
      memo.get(`once ${i}`, length);
    }
    assert.equal(length.asked.filter((text) => text === 'often').length, 1);
  });

  it('forgets: the number of entries is bounded', () => {
    const memo = new Memo<number>(4);
    const length = counting((text) => text.length);
    for (let i = 0; i < 9; i += 1) memo.get(String(i), length);
    length.asked.length = 0;
    for (let i = 0; i < 9; i += 1) memo.get(String(i), length);
    assert.ok(length.asked.includes('0'));
  });
});
