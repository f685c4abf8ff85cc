import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GroupRead } from './group-read.ts';

/** A group read that answers each key in capitals, and what was asked of it. */
function capitals() {
  const asked: (readonly string[])[] = [];
  const reads = new GroupRead((keys) => {
    asked.push(keys);
    if (keys.includes('broken')) throw new Error('no');
    return keys.map((key) => key.toUpperCase());
  });
  return { reads, asked };
}

describe('GroupRead', () => {
  it('looks the keys of one turn up together, and gives each reader theirs in order', async () => {
    const { reads, asked } = capitals();
    const found = await Promise.all([reads.find(['b', 'a']), reads.find([]), reads.find(['c'])]);
    assert.deepEqual(found, [['B', 'A'], [], ['C']]);
    assert.deepEqual(asked, [['b', 'a', 'c']]);
  });

  it('reads anew in the next turn', async () => {
    const { reads, asked } = capitals();
    await reads.find(['a']);
    await reads.find(['a']);
    assert.deepEqual(asked, [['a'], ['a']]);
  });

  it('fails every reader of a turn that failed, and goes on', async () => {
    const { reads } = capitals();
    const outcomes = await Promise.allSettled([reads.find(['a']), reads.find(['broken'])]);
    assert.deepEqual(outcomes.map(({ status }) => status), ['rejected', 'rejected']);
    assert.deepEqual(await reads.find(['a']), ['A']);
  });
});
