/** What servers report and reply, also those that a test cannot start. `test/store/redis-open.test.ts` opens real servers. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkServer, countReplicas, parseInfo, reasonOf, UnsuitableServerError } from './redis-checks.ts';
import { RedisTimeoutError } from './redis-connection.ts';

/** Answers INFO only. */
const serverOf = (info: string | Error) => ({
  name: 'cache:6379',
  async send(command: readonly string[]) {
    assert.deepEqual(command, ['INFO']);
    if (info instanceof Error) throw info;
    return info.replaceAll('\n', '\r\n');
  },
});

const SUITABLE = '# Server\nredis_version:7.0.15\nloading:0\naof_enabled:1\nmaxmemory:0\nmaxmemory_policy:noeviction\ncluster_enabled:0\n';
const REPLICAS = 'slave0:ip=10.0.0.2,port=6379,state=online,offset=12,lag=0\nslave1:ip=::1,port=6379,state=online,offset=12,lag=1\n';

describe('checkServer', () => {
  const check = (info: string | Error) => checkServer(serverOf(info), 'single', 'auto');

  it('warns of nothing on a suitable server', async () => {
    assert.deepEqual(await check(SUITABLE), []);
    assert.deepEqual(await check(SUITABLE.replace('7.0.15', '12.1.0')), []);
    assert.deepEqual(await check(SUITABLE.replace('maxmemory:0', 'maxmemory:1000')), []);
    assert.deepEqual(await check(SUITABLE.replace('noeviction', 'allkeys-lru')), []);
  });

  for (const version of ['6.2.14', '2.8.0', '']) {
    it(`rejects the version "${version}"`, async () => {
      await assert.rejects(check(SUITABLE.replace('7.0.15', version)), {
        name: 'UnsuitableServerError', message: 'is too old: Redis 7.0 or newer is required',
      });
    });
  }

  it('rejects a server that reports no version', async () => {
    await assert.rejects(check(SUITABLE.replace('redis_version', 'version')), { message: 'is too old: Redis 7.0 or newer is required' });
  });

  it('rejects the node of a cluster under the address of one server', async () => {
    const node = serverOf(SUITABLE.replace('cluster_enabled:0', 'cluster_enabled:1'));
    await assert.rejects(checkServer(node, 'single', 'auto'), new UnsuitableServerError(
      'belongs to a cluster: the address must begin with redis+cluster:// or rediss+cluster://',
    ));
    assert.deepEqual(await checkServer(node, 'cluster', 'auto'), []);
  });

  it('warns of a server whose restart loses entries, unless it is still loading them', async () => {
    const withoutFile = SUITABLE.replace('aof_enabled:1', 'aof_enabled:0');
    assert.deepEqual(await check(withoutFile), [
      'The Redis server cache:6379 has no append-only file (appendonly no): a restart loses sessions and posts in flight.',
    ]);
    assert.deepEqual(await check(withoutFile.replace('loading:0', 'loading:1')), []);
  });

  it('warns of a server that drops entries when its memory is full', async () => {
    assert.deepEqual(await check(SUITABLE.replace('maxmemory:0', 'maxmemory:1000').replace('noeviction', 'allkeys-lru')), [
      'The Redis server cache:6379 drops entries when its memory is full (maxmemory-policy): set it to noeviction.',
    ]);
  });

  it('warns of a server with fewer replicas than writes wait for', async () => {
    const server = serverOf(SUITABLE + REPLICAS);
    assert.deepEqual(await checkServer(server, 'single', 3), [
      'The Redis server cache:6379 has 2 connected replicas, fewer than writes wait for: posts and sign-ins fail.',
    ]);
    assert.deepEqual(await checkServer(server, 'single', 2), []);
    assert.deepEqual(await checkServer(server, 'single', 'auto'), []);
  });

  it('warns that a server which denies INFO is unchecked', async () => {
    assert.deepEqual(await check(new Error('NOPERM this user has no permissions to run the \'info\' command')), [
      'The Redis server cache:6379 denies this user INFO: its settings for persistence, memory and replicas are unchecked.',
    ]);
  });

  it('passes on other failures of INFO', async () => {
    const failure = new Error('LOADING Redis is loading the dataset in memory');
    await assert.rejects(check(failure), failure);
  });
});

describe('countReplicas', () => {
  const count = (info: string) => countReplicas(parseInfo(info.replaceAll('\n', '\r\n')));

  it('counts the replicas that acknowledge writes now, whatever the form of their addresses', () => {
    assert.equal(count(`# Replication\nrole:master\nconnected_slaves:2\n${REPLICAS}master_repl_offset:12\n`), 2);
  });

  it('does not count a replica that is synchronizing, or has not acknowledged an offset', () => {
    assert.equal(count([
      'slave0:ip=10.0.0.2,port=6379,state=wait_bgsave,offset=12,lag=0', 'slave1:ip=10.0.0.3,port=6379,state=online,offset=0,lag=0', '',
    ].join('\n')), 0);
  });
});

describe('reasonOf', () => {
  const coded = (code: string, message = 'a message of the system') => Object.assign(new Error(message), { code });
  const cases: readonly (readonly [error: Error, reason: string])[] = [
    [new Error('WRONGPASS invalid username-password pair or user is disabled.'), 'rejects the user name or the password'],
    [new Error('NOAUTH HELLO must be called with the client already authenticated'), 'requires a password'],
    [new Error('NOPERM No permissions to access a key'), 'denies this user a required command or the keys `vestibule:*`'],
    [new Error('READONLY You can\'t write against a read only replica.'), 'is a replica, which rejects writes'],
    [new Error('MISCONF Redis is configured to save RDB snapshots'), 'rejects writes because it cannot save them'],
    [new Error('OOM command not allowed when used memory > \'maxmemory\'.'), 'rejects writes because its memory is full'],
    [new Error('CLUSTERDOWN The cluster is down'), 'belongs to a cluster that is down'],
    [new Error('ERR This instance has cluster support disabled'), 'is not part of a cluster'],
    [new Error('ERR No such master with that name'), 'is not known to the Sentinels: the address must end with the name of the master'],
    [new Error('no valid master node'), 'is down according to the Sentinels, which have promoted no replica: check their quorum and the replicas'],
    [new Error('ERR AUTH <password> called without any password configured for the default user.'), 'has no password, but the address has one'],
    [new Error('ERR Client sent AUTH, but no password is set'), 'has no password, but the address has one'],
    [new Error('ERR unknown command `HELLO`, with args beginning with: `3`'), 'is too old: Redis 7.0 or newer is required'],
    [new Error('NOPROTO unsupported protocol version'), 'is too old: Redis 7.0 or newer is required'],
    [new Error('Socket closed unexpectedly'), 'closes the connection'],
    [new RedisTimeoutError(), 'does not answer in time'],
    [new Error('Connection timeout'), 'does not answer in time'],
    [new UnsuitableServerError('is of no use'), 'is of no use'],
    [coded('ECONNREFUSED'), 'cannot be reached: connection refused'],
    [coded('ECONNRESET'), 'closes the connection'],
    [coded('EHOSTUNREACH'), 'cannot be reached: no route to the host'],
    [coded('ENETUNREACH'), 'cannot be reached: no route to the network'],
    [coded('ENOTFOUND'), 'cannot be reached: unknown host name'],
    [coded('EAI_AGAIN'), 'cannot be reached: the host name cannot be resolved at present'],
    [coded('ETIMEDOUT'), 'cannot be reached: no response'],
    [coded('EPROTO'), 'does not speak TLS'],
    [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'has an untrusted certificate (DEPTH_ZERO_SELF_SIGNED_CERT)'],
    [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'has an untrusted certificate (ERR_TLS_CERT_ALTNAME_INVALID)'],
    [coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'has an untrusted certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
  ];
  for (const [error, reason] of cases) {
    const code = 'code' in error ? String(error.code) : error.message;
    it(`explains "${code}"`, () => { assert.equal(reasonOf(error), reason); });
  }

  it('quotes nothing of an unknown reply', () => {
    assert.equal(reasonOf(new Error('ERR a secret of the server')), 'does not answer as expected');
    assert.equal(reasonOf(coded('EWHATEVER', 'a secret')), 'does not answer as expected (EWHATEVER)');
    assert.equal(reasonOf('a secret'), 'does not answer');
  });
});
