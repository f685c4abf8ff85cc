/** The store on one Redis: its contract, the limits that processes share, and the server that it refuses. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailableError, type Store } from '@vestibule/bff';
import { openStore } from '../../packages/bff/src/store/open.ts';
import { startBff } from '../lib/bff.ts';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess } from '../lib/bff-process.ts';
import { freePort } from '../lib/free-port.ts';
import { expectProblem, expectStatus } from '../lib/reader.ts';
import { startRedis, type RedisServer } from '../lib/redis-server.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { startRelay, startTcpServer } from '../lib/tcp-relay.ts';
import { until } from '../lib/until.ts';
import { runVestibule, type LogLine } from '../lib/vestibule-process.ts';
import { startEmulatedService } from '../service/index.ts';
import { describeStoreContract } from '../store/_store-contract.ts';

const HOUR_MS = 3_600_000;

/** Shortens what each key has left. */
const PASS_TIME = `for _, key in ipairs(redis.call('KEYS', '*')) do
  local left = redis.call('PTTL', key)
  if left >= 0 then redis.call('PEXPIRE', key, left - tonumber(ARGV[1])) end
end`;

const open = (address: string): Promise<Store> => openStore(address);

describe('one Redis', () => {
  const redis = suiteResource(() => startRedis());

  describeStoreContract('redis:', async () => ({
    store: await open(`redis://${redis().host}/3`),
    briefMs: 60_000,
    outlive: async (lifetimeMs) => { await redis().command('-n', '3', 'EVAL', PASS_TIME, '0', String(lifetimeMs)); },
  }));

  it('counts ages by the clock of the server, not by that of a process', async () => {
    await using bff = await startBff({ store: `redis://${redis().host}/7` });
    bff.passTime(HOUR_MS / 1000);
    const reader = bff.browser();
    const shown = await reader.begin();
    const first = await reader.validateShown(shown);
    expectStatus(first, 200);
    const again = await reader.validateShown(shown);
    assert.deepEqual([again.status, again.body], [200, first.body]);
  });

  it('is opened without a walk through the keys of others', async () => {
    await using server = await startRedis();
    await server.command('EVAL', 'for i = 1, 5000 do redis.call("SET", "other:" .. i, "") end', '0');
    await using store = await open(`redis://${server.host}`);
    await store.ping();
    assert.match(String(await server.command('INFO', 'commandstats')), /^cmdstat_scan:calls=1,/m);
  });

  it('separates its databases', async () => {
    await using four = await open(`redis://${redis().host}/4`);
    await using five = await open(`redis://${redis().host}/5`);
    await four.set('session:1', 'four', HOUR_MS);
    assert.equal(await five.get('session:1'), undefined);
  });

  it('counts the requests of a user to every process, without a key that stays and without a client address', async () => {
    await using service = await startEmulatedService({ redirectUris: [`${PUBLIC_URL}/sync/return`] });
    const env = bffEnvironment(service, PUBLIC_URL, {
      VESTIBULE_STORE: `redis://${redis().host}/6`, VESTIBULE_RATE_LIMITS: 'posts=4,sync=100,other=1000',
      VESTIBULE_PROFILES: 'discard',
    });
    await using one = await startProcess(env);
    await using two = await startProcess(env);
    const [first, second] = [one.browser(service), two.browser(service)];
    second.agent.jar = first.agent.jar;
    await first.signIn();
    for (const client of [first, second, first, second]) expectStatus(await client.createPost('Within the limit'), 201);
    // As after a restart of the server.
    await redis().command('SCRIPT', 'FLUSH');
    for (const client of [first, second]) {
      const refused = await client.createPost('One too many');
      expectProblem(refused, 'too-many-requests');
      assert.ok(Number(refused.headers['retry-after']) >= 1);
    }
    for (const key of (await redis().command('-n', '6', 'KEYS', '*')).split('\n')) {
      assert.ok(!key.includes('127.0.0.1'), key);
      // -1: the key never expires; -2: it has expired meanwhile.
      assert.notEqual(Number(await redis().command('-n', '6', 'PTTL', key)), -1, `${key} never expires`);
    }
  });
});

describe('a Redis that is killed', () => {
  it('is reported as unavailable, never as empty, and used again as soon as it is back', async () => {
    await using server = await startRedis();
    await using store = await open(`redis://${server.host}`);
    await store.set('session:1', 'value', HOUR_MS);
    await server.kill();
    await assert.rejects(store.get('session:1'), StoreUnavailableError);
    await assert.rejects(store.ping(), StoreUnavailableError);
    await server.start();
    assert.equal((await until('the store is back', () => store.get('session:1')))?.value, 'value');
  });
});

/** A BFF on a Redis that a test changes. */
async function startOn(address: string, changes: Readonly<Record<string, string>> = {}) {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startEmulatedService({ redirectUris: [`${PUBLIC_URL}/sync/return`] }));
  const env = bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: address, ...changes });
  const bff = stack.use(await startProcess(env));
  const disposal = stack.move();
  return { service, bff, reader: () => bff.browser(service), [Symbol.asyncDispose]: () => disposal.disposeAsync() };
}

/** With a readiness probe as often as an orchestrator asks, at least. */
async function untilReady(url: string): Promise<void> {
  await until('the BFF is ready', async () => (await fetch(`${url}/readyz`)).status === 200);
}

describe('a connection to Redis', () => {
  it('that dies without a packet is replaced while probes go on', async () => {
    await using server = await startRedis();
    await using relay = await startRelay(server.port);
    await using run = await startOn(`redis://${relay.host}`);
    await untilReady(run.bff.url);
    relay.swallow();
    await until('the probe fails', async () => (await fetch(`${run.bff.url}/readyz`)).status === 503);
    await untilReady(run.bff.url);
    await run.reader().signIn();
  });

  it('to a master that turned into a replica is left for one to the server that the address leads to now', async () => {
    await using former = await startRedis();
    await using master = await startRedis();
    await using relay = await startRelay(former.port);
    await using run = await startOn(`redis://${relay.host}`);
    await untilReady(run.bff.url);
    await former.command('REPLICAOF', '127.0.0.1', String(master.port));
    relay.target(master.port);
    await until('the probe fails', async () => (await fetch(`${run.bff.url}/readyz`)).status === 503);
    await untilReady(run.bff.url);
    await run.reader().signIn();
  });
});

describe('what Redis answers', () => {
  const refusals: Readonly<Record<string, (server: RedisServer) => Promise<unknown>>> = {
    OOM: (server) => server.command('CONFIG', 'SET', 'maxmemory', '100kb'),
    MISCONF: async (server) => {
      await server.command('CONFIG', 'SET', 'dir', '/proc');
      await server.command('CONFIG', 'SET', 'save', '3600 1');
      await server.command('BGSAVE');
      await until('the snapshot fails', async () => (await server.command('INFO', 'persistence')).includes('rdb_last_bgsave_status:err'));
    },
    WRONGPASS: async (server) => {
      await server.command('ACL', 'SETUSER', 'bff', 'resetpass', '>another-canary');
      await server.command('CLIENT', 'KILL', 'USER', 'bff');
    },
  };
  for (const [word, refuse] of Object.entries(refusals)) {
    it(`is in the line of a sign-in that fails: ${word}`, async () => {
      await using server = await startRedis({ settings: ['--enable-protected-configs', 'yes'] });
      await server.command('ACL', 'SETUSER', 'bff', 'on', '>canary', '~*', '+@all');
      await using run = await startOn(`redis://bff:canary@${server.host}`);
      await refuse(server);
      // A closed connection comes first, on a slow machine a late reply.
      const line = await until('the log has the word', async () => {
        expectProblem(await run.reader().start(), 'service-unavailable');
        return run.bff.process.lines.map((text) => JSON.parse(text) as LogLine).find(({ reason }) => reason === `Redis answers ${word}`);
      });
      assert.deepEqual([line['msg'], line['setting']], ['sign-in failed', 'VESTIBULE_STORE']);
      assert.doesNotMatch(run.bff.process.lines.join('\n'), /canary/);
    });
  }
});

describe('a user of Redis that may not do everything', () => {
  const redis = suiteResource(() => startRedis());

  /** The finding about the store of a user with these rules. */
  const check = async (...rules: readonly string[]) => {
    await redis().command('ACL', 'SETUSER', 'limited', 'reset', 'on', '>canary', ...rules);
    await using service = await startEmulatedService();
    const env = bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: `redis://limited:canary@${redis().host}` });
    const { stdout } = await runVestibule({ args: ['check'], env });
    assert.doesNotMatch(stdout, /canary/);
    return stdout.split('\n').filter((line) => /^\w+ +store/.test(line)).map((line) => line.replace(/ +/g, ' '));
  };

  it('is refused with the command or the keys that are missing', async () => {
    for (const [rules, words] of [
      [['~vestibule:*', '+@all', '-@scripting'], /EVAL/],
      [['~vestibule:*', '+@all', '-pttl'], /a command of a script: GET, PTTL/],
      [['~vestibule:*', '+@all', '-incr'], /a command of a script: .*INCR/],
      [['~vestibule:*', '+@all', '-pexpire'], /PEXPIRE/],
      [['~vestibule:*', '+@all', '-scan'], /SCAN/],
      [['~app1:*', '+@all'], /the keys vestibule:\*/],
    ] as const) {
      const [finding = ''] = await check(...rules);
      assert.match(finding, /^fail store .*NOPERM/);
      assert.match(finding, words);
    }
  });

  it('is used without INFO, with a warning', async () => {
    const findings = await check('~vestibule:*', '+@all', '-@dangerous', '-@admin');
    assert.equal(findings.length, 2, findings.join('\n'));
    assert.match(findings[0] ?? '', /^warn store .*INFO.*NOPERM/);
    assert.match(findings[1] ?? '', /^ok store/);
  });

  it('needs no command of the server beside those', async () => {
    const findings = await check('~vestibule:*', '-@all', '+info', '+get', '+set', '+del', '+eval', '+pttl', '+pexpire', '+incr', '+scan', '+ping');
    assert.deepEqual(findings.map((line) => line.split(' ')[0]), ['ok']);
  });
});

describe('a start without a Redis', () => {
  const start = async (address: string) => {
    await using service = await startEmulatedService();
    const env = bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: address });
    const { status, stderr } = await runVestibule({ env });
    return { status, line: stderr.trim() };
  };

  it('ends with a status of its own while the server is away or loads its file, and with that of a fault for a wrong password', async () => {
    await using redis = await startRedis({ settings: ['--requirepass', 'canary'] });
    await using loading = await startTcpServer((socket) => { socket.on('data', () => socket.write('-LOADING Redis is loading\r\n')); });
    for (const [address, status, words] of [
      ['redis://127.0.0.1:1', 69, /^vestibule: VESTIBULE_STORE: .*ECONNREFUSED/],
      [`redis://${loading.host}`, 69, /^vestibule: VESTIBULE_STORE: .*LOADING/],
      [`redis://default:wrong-canary@${redis.host}`, 78, /^VESTIBULE_STORE: .*WRONGPASS/],
    ] as const) {
      const found = await start(address);
      assert.equal(found.status, status, found.line);
      assert.match(found.line, words);
      assert.doesNotMatch(found.line, /canary|\n/);
    }
  });
});

describe('a Redis that drops entries when its memory is full', () => {
  const check = async (policy: string) => {
    await using redis = await startRedis({ settings: ['--maxmemory', '100mb', '--maxmemory-policy', policy] });
    await using service = await startEmulatedService();
    const env = bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: `redis://${redis.host}` });
    return (await runVestibule({ args: ['check'], env })).stdout;
  };

  it('is refused, with the setting to change', async () => {
    for (const policy of ['allkeys-lru', 'volatile-ttl']) assert.match(await check(policy), /fail +store .*maxmemory-policy/);
  });

  it('is used with noeviction', async () => {
    assert.match(await check('noeviction'), /ok +store/);
  });
});

describe('a Redis without an append-only file', () => {
  it('is used, with a warning', async () => {
    await using redis = await startRedis({ settings: ['--appendonly', 'no'] });
    await using run = await startOn(`redis://${redis.host}`);
    assert.match(String((await run.bff.process.logged('the store should be configured otherwise'))['reason']), /appendonly/);
  });
});

describe('a Redis Cluster', () => {
  it('is used by redis+cluster:// only; a command that its user may not use is named', async () => {
    const settings = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())];
    await using redis = await startRedis({ settings });
    await redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await until('the cluster works', async () => (await redis.command('CLUSTER', 'INFO')).includes('cluster_state:ok'));
    await redis.command('ACL', 'SETUSER', 'limited', 'on', '>canary', '~vestibule:*', '+@all', '-pexpire');
    await using service = await startEmulatedService();
    for (const [address, words] of [
      [`redis+cluster://${redis.host}`, /ok +store/], [`redis://${redis.host}`, /fail +store .*redis\+cluster:/],
      [`redis+cluster://limited:canary@${redis.host}`, /fail +store .*PEXPIRE/],
    ] as const) {
      const { stdout } = await runVestibule({ args: ['check'], env: bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: address }) });
      assert.match(stdout, words);
      assert.doesNotMatch(stdout, /canary/);
    }
  });

  it('whose master is silent is used again as soon as the master is back', async () => {
    const settings = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())];
    await using redis = await startRedis({ settings });
    await using relay = await startRelay(redis.port);
    await redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await redis.command('CONFIG', 'SET', 'cluster-announce-port', new URL(`redis://${relay.host}`).port);
    await until('the cluster works', async () => (await redis.command('CLUSTER', 'INFO')).includes('cluster_state:ok'));
    await using run = await startOn(`redis+cluster://${relay.host}`);
    await untilReady(run.bff.url);
    relay.swallow();
    await until('the probe fails', async () => (await fetch(`${run.bff.url}/readyz`)).status === 503);
    await untilReady(run.bff.url);
    await run.reader().signIn();
  });
});
