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
    'redis+sentinel://one,two:7/main': {
      ...plain, kind: 'sentinel', nodes: [{ host: 'one', port: 26_379 }, { host: 'two', port: 7 }], master: 'main',
    },
    'rediss+sentinel://user:pass@[::1]:7/the-main.1/2': {
      ...plain, kind: 'sentinel', nodes: [{ host: '::1', port: 7 }], master: 'the-main.1', tls: true, username: 'user', password: 'pass', database: 2,
    },
  };
  for (const [address, parsed] of Object.entries(cases)) {
    it(`reads ${address}`, () => { assert.deepEqual(parseRedisAddress(address), parsed); });
  }

  const form = 'the address must be redis://[user:password@]host[:port][/database], redis+sentinel://[user:password@]host:port,…/master '
    + 'or redis+cluster://[user:password@]host:port,…; with TLS rediss instead of redis';
  const node = 'a host or port of the address is invalid';
  const master = 'only a redis+sentinel:// address names a master';
  const noMaster = 'a redis+sentinel:// address must name the master: redis+sentinel://host:port,…/master';
  const rejected: Readonly<Record<string, string>> = {
    'redis://': form,
    'redis:cache': form,
    'redis://:secret@': form,
    'redis://:secret@cache?db=1': form,
    'redis://:secret@cache/1/2': form,
    'redis+cluster:one': form,
    'redis+sentinel://:secret@one/main/x': form,
    'redis+other://:secret@one': form,
    'unix:///run/redis.sock': form,
    'redis://:secret@cache:port': node,
    'redis://:secret@cache:70000': node,
    'redis+cluster://:secret@one,,two': node,
    'redis+cluster://:secret@one:1,two:2:3': node,
    'redis://:secret@one,two': 'only redis+cluster:// and redis+sentinel:// addresses have several hosts',
    'redis+cluster://:secret@one/1': 'a cluster has only database 0',
    'rediss+cluster://:secret@one/1': 'a cluster has only database 0',
    'redis://:secret@cache/x': master,
    'redis+cluster://:secret@one/main': master,
    'redis+sentinel://:secret@one': noMaster,
    'redis+sentinel://:secret@one/1': noMaster,
    'redis://:secret%@cache': 'the user name and the password must be percent-encoded',
  };
  for (const [address, message] of Object.entries(rejected)) {
    it(`says what is wrong with ${address} without quoting it`, () => {
      assert.throws(() => parseRedisAddress(address), { message });
    });
  }
});

describe('isRedisAddress', () => {
  it('recognizes the six forms', () => {
    assert.ok(['redis://a', 'rediss://a', 'redis+cluster://a', 'rediss+cluster://a', 'redis+sentinel://a', 'rediss+sentinel://a'].every(isRedisAddress));
    assert.ok(!['sqlite:redis://a', 'memory:', 'redissss://a', 'redis+other://a'].some(isRedisAddress));
  });
});
