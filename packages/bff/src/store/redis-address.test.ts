import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRedisAddress, parseRedisAddress, type RedisAddress } from './redis-address.ts';

const plain: RedisAddress = {
  kind: 'single', nodes: [{ host: 'cache', port: 6379 }], tls: false, username: undefined, password: undefined, database: 0,
};

describe('parseRedisAddress', () => {
  const cases: Readonly<Record<string, RedisAddress>> = {
    'redis://cache': plain,
    'redis://cache/': plain,
    'redis://cache:7000/2': { ...plain, nodes: [{ host: 'cache', port: 7000 }], database: 2 },
    'rediss://cache': { ...plain, tls: true },
    'redis://:pass@cache': { ...plain, password: 'pass' },
    'redis://user:p%40ss%2F%3A@cache': { ...plain, username: 'user', password: 'p@ss/:' },
    'redis://:a:b@cache': { ...plain, password: 'a:b' },
    'redis://[::1]:7000': { ...plain, nodes: [{ host: '::1', port: 7000 }] },
    'redis+cluster://one:1,two:2,[::1]:3': {
      ...plain, kind: 'cluster', nodes: [{ host: 'one', port: 1 }, { host: 'two', port: 2 }, { host: '::1', port: 3 }],
    },
    'rediss+cluster://user:pass@one:1,two:2': {
      ...plain, kind: 'cluster', nodes: [{ host: 'one', port: 1 }, { host: 'two', port: 2 }], tls: true, username: 'user', password: 'pass',
    },
    'redis+cluster://user:pass@one,two/0': {
      ...plain, kind: 'cluster', nodes: [{ host: 'one', port: 6379 }, { host: 'two', port: 6379 }], username: 'user', password: 'pass',
    },
  };
  for (const [address, parsed] of Object.entries(cases)) {
    it(`reads ${address}`, () => { assert.deepEqual(parseRedisAddress(address), parsed); });
  }

  const rejected = [
    'redis://', 'redis:cache', 'redis://:secret@', 'redis://:secret@cache/x', 'redis://:secret@cache/1/2', 'redis://:secret@cache?db=1',
    'redis://:secret@cache:port', 'redis://:secret@cache:70000', 'redis://:secret@one,two', 'redis+cluster://:secret@one/1',
    'redis+cluster://:secret@one,,two', 'rediss+cluster://:secret@one/1', 'redis+cluster:one', 'redis://:secret%@cache', 'unix:///run/redis.sock', 'redis+cluster://:secret@one:1,two:2:3',
    'redis+sentinel://:secret@one', 'redis+sentinel://:secret@one/1', 'redis+sentinel://:secret@one/main/x', 'redis+cluster://:secret@one/main',
    'redis+other://:secret@one',
  ];
  for (const address of rejected) {
    it(`rejects ${address} without quoting it`, () => {
      assert.throws(() => parseRedisAddress(address), (error: Error) => !error.message.includes('secret') && !/cache|two/.test(error.message));
    });
  }
});

describe('isRedisAddress', () => {
  it('recognizes the six forms', () => {
    assert.ok(['redis://a', 'rediss://a', 'redis+cluster://a', 'rediss+cluster://a', 'redis+sentinel://a', 'rediss+sentinel://a'].every(isRedisAddress));
    assert.ok(!['sqlite:redis://a', 'memory:', 'redissss://a', 'redis+other://a'].some(isRedisAddress));
  });
});
