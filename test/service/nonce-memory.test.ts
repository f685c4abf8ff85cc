import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NonceMemory } from './nonce-memory.ts';

const NOW = 1_700_000_000;

describe('NonceMemory', () => {
  it('takes a nonce once', () => {
    const memory = new NonceMemory(300);
    assert.equal(memory.check(`${NOW}:a`, NOW), undefined);
    memory.use(`${NOW}:a`, NOW);
    assert.equal(memory.check(`${NOW}:a`, NOW), 'used');
    assert.equal(memory.check(`${NOW}:b`, NOW), undefined);
    assert.equal(memory.check(`${NOW}.5:a`, NOW), undefined);
  });

  it('takes timestamps as far as its lifetime on either side, and no farther', () => {
    const memory = new NonceMemory(300);
    for (const [offset, fault] of [[-300, undefined], [300, undefined], [-301, 'expired'], [301, 'expired']] as const) {
      assert.equal(memory.check(`${NOW + offset}.0:a`, NOW), fault);
    }
  });

  it('wants UNIX seconds, a colon and 1 to 32 visible characters', () => {
    const memory = new NonceMemory(300);
    for (const nonce of ['', ':a', `${NOW}:`, `${NOW}`, `-${NOW}:a`, `${NOW}.:a`, `${NOW}:a b`, `${NOW}:"`, `${NOW}:${'a'.repeat(33)}`, '1e9:a', ` ${NOW}:a`]) {
      assert.equal(memory.check(nonce, NOW), 'malformed', nonce);
    }
    assert.equal(memory.check(`${NOW}.123456789:${'a'.repeat(32)}`, NOW), undefined);
  });

  it('remembers as long as the timestamp would be taken, and forgets after', () => {
    const memory = new NonceMemory(300);
    for (let i = 0; i < 2000; i += 1) memory.use(`${NOW + i}:a`, NOW + i);
    assert.equal(memory.check(`${NOW + 1700}:a`, NOW + 1999), 'used');
    assert.ok(memory.size <= 420);
  });
});
