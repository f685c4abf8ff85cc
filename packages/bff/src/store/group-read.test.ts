import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GroupRead } from './group-read.ts';
import { StoreUnavailableError } from './store.ts';

/** A group read that answers each key in capitals, and what was asked of it. */
function capitals() {
  const asked: (readonly string[])[] = [];
  const late = Promise.withResolvers<void>();
  const reads = new GroupRead((keys) => {
    asked.push(keys);
    if (keys.includes('broken')) throw new Error('no');
    return keys.map((key) => key.toUpperCase());
  }, (keys) => (keys.includes('late') ? late.promise : undefined));
  return { reads, asked, late };
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
    for (const outcome of outcomes) assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailableError);
    assert.deepEqual(await reads.find(['a']), ['A']);
  });

  it('gives a reader of one key what is there', async () => {
    const { reads } = capitals();
    assert.deepEqual(await Promise.all([reads.findOne('a'), reads.findOne('b')]), ['A', 'B']);
  });

  it('tells what may not be told yet when it may, and nobody else waits for that', async () => {
    const { reads, late } = capitals();
    const order: string[] = [];
    const waiting = reads.find(['late', 'a']).then(() => order.push('late'));
    await reads.findOne('b').then(() => order.push('b'));
    late.resolve();
    await waiting;
    assert.deepEqual(order, ['b', 'late']);
  });
});
