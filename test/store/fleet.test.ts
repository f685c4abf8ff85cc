/** Several BFF processes on one Redis behave as one, wherever a proxy sends a request and whichever of them dies. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { PostList } from '@vestibule/shared';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { runVestibule } from '../lib/vestibule-process.ts';
import { startEmulatedService, type Reader as Person } from '../service/index.ts';
import { FleetReader, fleetSettings, readiness, startFleet, type Answer, type Fleet, type Member } from './_fleet.ts';
import { startRedisCluster } from './_redis-cluster.ts';
import { startRedis } from './_redis-server.ts';

const people: readonly Person[] = Array.from({ length: 8 }, (_, i) => ({ user_id: String(i + 1), username: `Reader ${i + 1}` }));
const [person] = people as [Person];

const redis = await startRedis();
after(() => redis[Symbol.asyncDispose]());

describe('two processes on one Redis', () => {
  it('start a sign-in at one, validate it at the other, and post at either', async () => {
    await using fleet = await startFleet({ store: `redis://${redis.host}/1`, people });
    const [one, two] = membersOf(fleet);
    const reader = new FleetReader();
    await reader.signIn(fleet.service, person, [one, two]);
    for (const member of [one, two]) {
      assert.equal((await reader.session(member)).body.state, 'signed-in');
      assert.equal((await reader.post(member, `by ${member.origin}`)).status, 201);
    }
    assert.equal((await reader.ask(one, 'DELETE', '/session')).status, 204);
    assert.equal((await reader.session(two)).body.state, 'anonymous');
  });

  it('create one post per key and replay its response at both', async () => {
    await using fleet = await startFleet({ store: `redis://${redis.host}/2`, people });
    const [one, two] = membersOf(fleet);
    const reader = new FleetReader();
    await reader.signIn(fleet.service, person, [one, two]);
    for (let round = 0; round < 10; round += 1) {
      const key = randomUUID();
      const answers = await Promise.all([one, two, one, two].map((member) => reader.post(member, `round ${round}`, key)));
      for (const { status, problem } of answers) assert.ok(status === 201 || problem === 'post-in-progress', `${status} ${problem}`);
      const [first, second] = [await reader.post(one, `round ${round}`, key), await reader.post(two, `round ${round}`, key)];
      assert.deepEqual(first.body, second.body);
      assert.equal(second.headers.get('Idempotency-Replayed'), 'true');
      assert.equal(postsOf(fleet, `round ${round}`), 1);
    }
  });

  it('list the posts of an article that either has created', async () => {
    const config = fileURLToPath(new URL('../../packages/bff/examples/threads-service.mjs', import.meta.url));
    const settings = { VESTIBULE_CONFIG: config };
    await using fleet = await startFleet({ store: `redis://${redis.host}/3`, people, settings, threads: true });
    const [one, two] = membersOf(fleet);
    const reader = new FleetReader();
    await reader.signIn(fleet.service, person, [one, two]);
    const post = (member: Member, message: string, page?: string, key: string = randomUUID()) => (
      reader.ask(member, 'POST', '/posts', { forum: 'news', message, page }, { 'Idempotency-Key': key })
    );
    const list = async (member: Member, page: string) => {
      const { body, headers } = await reader.ask(member, 'GET', `/posts?${new URLSearchParams({ forum: 'news', page })}`);
      return { messages: (body as unknown as PostList).posts.map(({ message }) => message), etag: headers.get('ETag') };
    };
    const [article, other] = ['http://www.example.test/article', 'http://www.example.test/other'];
    assert.deepEqual((await list(one, article)).messages, []);
    assert.equal((await post(one, 'First', article)).status, 201);
    assert.equal((await post(two, 'Second', article)).status, 201);
    assert.equal((await post(two, 'Elsewhere', other)).status, 201);
    const lists = [await list(two, article), await list(one, article)];
    assert.deepEqual(lists.map(({ messages }) => messages), [['Second', 'First'], ['Second', 'First']]);
    assert.equal(lists[0]?.etag, lists[1]?.etag);
    assert.deepEqual((await list(one, other)).messages, ['Elsewhere']);
    const key = randomUUID();
    const verdicts = [await post(one, 'Nowhere', undefined, key), await post(two, 'Nowhere', undefined, key)];
    assert.deepEqual(verdicts.map(({ problem, headers }) => [problem, headers.get('Idempotency-Replayed')]), [
      ['post-rejected', null], ['post-rejected', 'true'],
    ]);
  });

  it('do the same on a cluster', async () => {
    await using cluster = await startRedisCluster();
    await using fleet = await startFleet({ store: `redis+cluster://${cluster.hosts}`, people });
    const [one, two] = membersOf(fleet);
    const reader = new FleetReader();
    await reader.signIn(fleet.service, person, [one, two]);
    const key = randomUUID();
    assert.equal((await reader.post(one, 'once', key)).status, 201);
    assert.equal((await reader.post(two, 'once', key)).headers.get('Idempotency-Replayed'), 'true');
    assert.equal(postsOf(fleet, 'once'), 1);
  });

  it('lose no acknowledged post and create none twice when one is killed', async () => {
    await using fleet = await startFleet({ store: `redis://${redis.host}/3`, people });
    const [one, two] = membersOf(fleet);
    const readers = people.map(() => new FleetReader());
    await Promise.all(readers.map((reader, i) => reader.signIn(fleet.service, people[i] as Person, [one, two])));

    const acknowledged: string[] = [];
    let alive: readonly Member[] = [one, two];
    let sent = 0;
    let isOver = false;
    const posting = readers.map(async (reader, i) => {
      while (!isOver) {
        const message = `comment ${sent += 1} of reader ${i}`;
        const key = randomUUID();
        const answer = await reader.post(alive[sent % alive.length] as Member, message, key);
        // After a broken connection the widget repeats the request with its key, and the proxy sends it to the other.
        const settled = answer.status === 0 ? await reader.post(two, message, key) : answer;
        if (settled.status === 201) acknowledged.push(message);
        else assert.ok(['post-in-progress', 'outcome-unknown'].includes(settled.problem ?? ''), `${settled.status} ${settled.problem}`);
      }
    });
    await until(() => acknowledged.length > 100);
    await one.process.kill('SIGKILL');
    alive = [two];
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 100);
    isOver = true;
    await Promise.all(posting);

    const created = new Map<string, number>();
    for (const { message } of fleet.service.posts) created.set(message, (created.get(message) ?? 0) + 1);
    assert.deepEqual(acknowledged.filter((message) => created.get(message) !== 1), []);
    assert.deepEqual([...created].filter(([, times]) => times > 1), []);
    for (const reader of readers) assert.equal((await reader.session(two)).body.state, 'signed-in');
  });
});

describe('a fleet that loses its Redis', () => {
  const outages: Readonly<Record<string, { begin: keyof Pick<typeof redis, 'kill' | 'suspend'>; end: 'start' | 'resume' }>> = {
    'a crash': { begin: 'kill', end: 'start' },
    silence: { begin: 'suspend', end: 'resume' },
  };
  for (const [what, { begin, end }] of Object.entries(outages)) {
    it(`by ${what} reports it within two seconds, ends no session, and recovers by itself`, async () => {
      await using server = await startRedis();
      await using fleet = await startFleet({
        store: `redis://${server.host}`, people, settings: { VESTIBULE_RATE_LIMITS: 'posts=100000,sync=100000,other=100000' },
      });
      const [one, two] = membersOf(fleet);
      const reader = new FleetReader();
      await reader.signIn(fleet.service, person, [one, two]);
      const key = randomUUID();
      assert.equal((await reader.post(one, 'before', key)).status, 201);
      for (const member of [one, two]) assert.equal(await readiness(member), 200);
      const validation = await reader.begin(fleet.service, person, one);

      await server[begin]();
      for (let round = 0; round < 3; round += 1) {
        for (const member of [one, two]) {
          const answers = await Promise.all([
            reader.session(member),
            reader.post(member, 'meanwhile'),
            reader.post(member, 'before', key),
            reader.ask(member, 'POST', '/sync/validation', validation),
            reader.ask(member, 'POST', '/sync/cancel', { sync: validation.sync }),
          ]);
          for (const answer of answers) isUnavailable(answer);
        }
      }
      for (const member of [one, two]) await until(async () => await readiness(member) === 503);
      assert.equal((await fetch(`${one.origin}/healthz`)).status, 200);

      await server[end]();
      for (const member of [one, two]) {
        await until(async () => await readiness(member) === 200);
        const session = await reader.session(member);
        assert.deepEqual([session.status, session.body.state], [200, 'signed-in']);
        assert.equal((await reader.post(member, 'before', key)).headers.get('Idempotency-Replayed'), 'true');
      }
      assert.equal((await reader.post(one, 'after')).status, 201);
      assert.deepEqual(['before', 'meanwhile', 'after'].map((message) => postsOf(fleet, message)), [1, 0, 1]);
    });
  }

  it('never reports a reader as signed out during repeated outages', async () => {
    await using server = await startRedis();
    await using fleet = await startFleet({ store: `redis://${server.host}`, people });
    const [one, two] = membersOf(fleet);
    const reader = new FleetReader();
    await reader.signIn(fleet.service, person, [one, two]);
    let isOver = false;
    const seen = new Set<string>();
    const asking = [one, two].map(async (member) => {
      while (!isOver) {
        const { status, body, problem } = await reader.session(member);
        seen.add(`${status} ${problem ?? body.state}`);
      }
    });
    for (let outage = 0; outage < 3; outage += 1) {
      await server.kill();
      await until(() => seen.has('503 service-unavailable'));
      seen.delete('503 service-unavailable');
      await server.start();
      await until(async () => await readiness(one) === 200 && await readiness(two) === 200);
    }
    isOver = true;
    await Promise.all(asking);
    seen.delete('503 service-unavailable');
    assert.deepEqual([...seen], ['200 signed-in']);
  });
});

describe('vestibule serve on a Redis', () => {
  const secret = 'the-password-of-the-operator';

  it('exits with status 78 and a reason without a secret if the server cannot be used', async () => {
    await using service = await startEmulatedService();
    await using gone = await startRedis();
    await gone.kill();
    await using guarded = await startRedis({ password: 'another' });
    await using silent = await startRedis();
    silent.suspend();
    const cases = [
      [`redis://:${secret}@${gone.host}`, 'VESTIBULE_STORE: The Redis server cannot be reached: connection refused.\n'],
      [`redis+cluster://:${secret}@${gone.host}`, 'VESTIBULE_STORE: The Redis server cannot be reached: connection refused.\n'],
      [`redis://${silent.host}`, 'VESTIBULE_STORE: The Redis server does not answer in time.\n'],
      ['redis://vestibule.invalid', 'VESTIBULE_STORE: The Redis server cannot be reached: unknown host name.\n'],
      [`redis://:${secret}@${guarded.host}`, 'VESTIBULE_STORE: The Redis server rejects the user name or the password.\n'],
    ] as const;
    for (const [store, stderr] of cases) {
      const ended = await runVestibule({ args: ['serve'], env: fleetSettings(service, store) });
      assert.deepEqual([ended.status, ended.stderr], [78, stderr]);
      assert.ok(!ended.stdout.includes(secret) && !ended.stdout.includes(COOKIE_SECRET));
    }
  });

  it('logs a warning about a server that would lose writes', async () => {
    await using careless = await startRedis({ appendOnly: false, password: secret });
    await using fleet = await startFleet({ store: `redis://:${secret}@${careless.host}`, size: 1 });
    const [one] = fleet.members as [Member];
    const warning = `The Redis server ${careless.host} has no append-only file (appendonly no): a restart loses sessions and posts in flight.`;
    assert.equal((await one.process.logged(warning))['level'], 40);
    assert.ok(!one.process.lines.join('\n').includes(secret));
  });
});

function membersOf({ members }: Fleet): [Member, Member] {
  return members as [Member, Member];
}

function postsOf({ service }: Fleet, message: string): number {
  return service.posts.filter((post) => post.message === message).length;
}

/** Two seconds, and half a second for a busy machine. */
const MAX_WAIT_MS = 2_500;

function isUnavailable({ status, problem, headers, body, ms }: Answer): void {
  assert.deepEqual([status, problem], [503, 'service-unavailable']);
  assert.equal(body.retryable, true);
  assert.ok(Number(headers.get('Retry-After')) >= 1);
  assert.ok(ms < MAX_WAIT_MS, `${ms} ms`);
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!await condition()) await setTimeout(20);
}
