import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ErrorReply } from '@redis/client';
import type { WaitReplicas } from './redis-checks.ts';
import type { RedisConnection, RedisReply } from './redis-connection.ts';
import { NotReplicatedError, ReplicatedWrites } from './replicated-writes.ts';

const NOT_REPLICATED = { name: 'NotReplicatedError', message: 'Too few replicas acknowledged the write in time.' };

/** A connection, played by the test. Keys that differ in their first letter are on different nodes. */
class FakeConnection implements RedisConnection {
  /** What was sent: the commands that follow each other over one connection, joined. */
  readonly sent: string[] = [];
  role = 'master';
  replicas = 1;
  /** Replicas that reply to WAIT. */
  acknowledged = 1;
  infoError: ErrorReply | undefined;
  isClosed = false;
  readonly #nodes = new Map<string, object>();

  async nodeOf(key: string): Promise<object> {
    const name = key.charAt(0);
    const node = this.#nodes.get(name) ?? {};
    this.#nodes.set(name, node);
    return node;
  }

  async send(_key: string, command: string[]): Promise<RedisReply> {
    this.sent.push(command.join(' '));
    return 'OK';
  }

  async sendTogether(_key: string, commands: readonly string[][]): Promise<readonly (RedisReply | ErrorReply)[]> {
    this.sent.push(commands.map((command) => command.join(' ')).join(', '));
    if (commands[0]?.[0] !== 'INFO') return ['OK', this.acknowledged];
    if (this.infoError) return [this.infoError];
    const lines = Array.from({ length: this.replicas }, (_, i) => `slave${i}:ip=10.0.0.${i},port=6379,state=online,offset=12,lag=0\r\n`);
    return [`# Replication\r\nrole:${this.role}\r\n${lines.join('')}`];
  }

  async masters(): Promise<never[]> { return []; }
  async [Symbol.asyncDispose](): Promise<void> { this.isClosed = true; }
}

function createWrites(waitReplicas: WaitReplicas, fields: Partial<FakeConnection> = {}) {
  const connection = Object.assign(new FakeConnection(), fields);
  const writes = new ReplicatedWrites(connection, waitReplicas);
  return { connection, write: (key: string) => writes.send(key, ['SET', key]), writes };
}

const INFO = 'INFO replication';

describe('ReplicatedWrites', () => {
  for (const replicas of [1, 2]) {
    it(`waits for one of ${replicas} replicas if no number is set`, async () => {
      const { connection, write } = createWrites('auto', { replicas });
      assert.equal(await write('a'), 'OK');
      assert.deepEqual(connection.sent, [INFO, 'SET a, WAIT 1 500']);
    });
  }

  it('waits for no replica where there is none', async () => {
    const { connection, write } = createWrites('auto', { replicas: 0 });
    assert.equal(await write('a'), 'OK');
    assert.deepEqual(connection.sent, [INFO, 'SET a']);
  });

  it('waits for no replica if the user may not run INFO', async () => {
    const { connection, write } = createWrites('auto', { infoError: new ErrorReply('NOPERM this user has no permissions to run the \'info\' command') });
    assert.equal(await write('a'), 'OK');
    assert.deepEqual(connection.sent, [INFO, 'SET a']);
  });

  it('counts the replicas again after a demoted master had none', async () => {
    const { connection, write } = createWrites('auto', { role: 'slave', replicas: 0 });
    await write('a');
    Object.assign(connection, { role: 'master', replicas: 1 });
    await write('a');
    assert.deepEqual(connection.sent, [INFO, 'SET a', INFO, 'SET a, WAIT 1 500']);
  });

  it('fails, without a write, if INFO fails for another reason, and tries again', async () => {
    const infoError = new ErrorReply('LOADING Redis is loading the dataset in memory');
    const { connection, write } = createWrites('auto', { infoError });
    await assert.rejects(write('a'), infoError);
    connection.infoError = undefined;
    assert.equal(await write('a'), 'OK');
    assert.deepEqual(connection.sent, [INFO, INFO, 'SET a, WAIT 1 500']);
  });

  it('requires the number that is set, whatever the master has', async () => {
    const { connection, write } = createWrites(2, { replicas: 0, acknowledged: 2 });
    assert.equal(await write('a'), 'OK');
    connection.acknowledged = 1;
    await assert.rejects(write('a'), NOT_REPLICATED);
    assert.deepEqual(connection.sent, ['SET a, WAIT 2 500', 'SET a, WAIT 2 500']);
  });

  it('counts the replicas of a master again after a second', async (t) => {
    const clock = mockClock(t);
    const { connection, write } = createWrites('auto');
    await write('a');
    connection.replicas = 0;
    clock.now += 1_000;
    await write('a');
    clock.now += 1;
    await write('a');
    assert.deepEqual(connection.sent, [INFO, 'SET a, WAIT 1 500', 'SET a, WAIT 1 500', INFO, 'SET a']);
  });

  it('counts them at once after a write that too few acknowledged', async (t) => {
    mockClock(t);
    const { connection, write } = createWrites('auto', { acknowledged: 0 });
    await assert.rejects(write('a'), NotReplicatedError);
    connection.replicas = 0;
    assert.equal(await write('a'), 'OK');
    assert.deepEqual(connection.sent, [INFO, 'SET a, WAIT 1 500', INFO, 'SET a']);
  });

  it('sends nothing to a node during a WAIT, and others do not wait for it', async () => {
    const { connection, write } = createWrites(1);
    const replies = holdReplies(connection);
    const first = assert.rejects(write('a1'), /lost/);
    const [second, other] = [write('a2'), write('b1')];
    await setImmediate();
    assert.deepEqual(connection.sent, ['SET a1, WAIT 1 500', 'SET b1, WAIT 1 500']);
    replies[1]?.resolve(['of b1', 1]);
    assert.equal(await other, 'of b1');
    replies[0]?.reject(new Error('The connection was lost.'));
    await first;
    await setImmediate();
    assert.deepEqual(connection.sent.slice(2), ['SET a2, WAIT 1 500']);
    replies[2]?.resolve(['of a2', 1]);
    assert.equal(await second, 'of a2');
  });

  it('never sends a write that was reported as failed while it waited for its turn', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { connection, write } = createWrites(1);
    const replies = holdReplies(connection);
    const failed = ['a1', 'a2'].map((key) => assert.rejects(write(key), { name: 'RedisTimeoutError' }));
    await setImmediate();
    t.mock.timers.tick(1_250);
    await Promise.all(failed);
    replies[0]?.resolve(['late', 1]);
    await setImmediate();
    assert.deepEqual(connection.sent, ['SET a1, WAIT 1 500']);
    const next = write('a3');
    await setImmediate();
    replies[1]?.resolve(['of a3', 1]);
    assert.equal(await next, 'of a3');
  });

  it('sends writes that arrive during a WAIT together, before the next one', async () => {
    const { connection, write } = createWrites(1);
    const replies = holdReplies(connection);
    const writes = ['a1', 'a2', 'a3'].map(write);
    await setImmediate();
    replies[0]?.resolve(['of a1', 1]);
    await setImmediate();
    assert.deepEqual(connection.sent, ['SET a1, WAIT 1 500', 'SET a2, SET a3, WAIT 1 500']);
    replies[1]?.resolve(['of a2', 'of a3', 1]);
    assert.deepEqual(await Promise.all(writes), ['of a1', 'of a2', 'of a3']);
  });

  it('rejects each write that was sent before a WAIT that too few replicas answered', async () => {
    const { connection, write } = createWrites(2);
    const replies = holdReplies(connection);
    const [first, ...others] = ['a1', 'a2', 'a3'].map(write);
    await setImmediate();
    replies[0]?.resolve(['of a1', 2]);
    await first;
    replies[1]?.resolve(['of a2', 'of a3', 1]);
    for (const other of others) await assert.rejects(other, NOT_REPLICATED);
  });

  it('rejects the write that the server refuses, and none beside it', async () => {
    const { replies, second, third } = await sendBatchOfTwo();
    replies[1]?.resolve([new ErrorReply('OOM command not allowed'), 'of a3', 1]);
    await assert.rejects(second, /OOM/);
    assert.equal(await third, 'of a3');
  });

  it('sends a write whose slot has moved again, and none beside it', async () => {
    const { connection, replies, second, third } = await sendBatchOfTwo();
    replies[1]?.resolve([new ErrorReply('MOVED 1 10.0.0.1:6379'), 'of a3', 1]);
    assert.equal(await third, 'of a3');
    await setImmediate();
    assert.deepEqual(connection.sent.slice(2), ['EXISTS a2', 'SET a2, WAIT 1 500']);
    replies[2]?.resolve(['of a2', 1]);
    assert.equal(await second, 'of a2');
  });

  it('gives the error reply to WAIT as the cause', async () => {
    const { connection, write } = createWrites(1);
    const refusal = new ErrorReply('NOPERM this user has no permissions to run the \'wait\' command');
    connection.sendTogether = async () => ['OK', refusal];
    await assert.rejects(write('a'), { ...NOT_REPLICATED, cause: refusal });
  });

  it('follows one redirection', async () => {
    const { connection, write } = createWrites(1);
    const moved = new ErrorReply('MOVED 1 10.0.0.1:6379');
    connection.sendTogether = async () => [moved, 1];
    await assert.rejects(write('a'), moved);
    assert.deepEqual(connection.sent, ['EXISTS a']);
  });

  it('sends writes side by side where there is no replica, and counts once', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { connection, write } = createWrites('auto', { replicas: 0 });
    const sent: string[] = [];
    connection.send = async (key) => {
      sent.push(key);
      return Promise.withResolvers<RedisReply>().promise;
    };
    const failed = ['a1', 'a2'].map((key) => assert.rejects(write(key), { name: 'RedisTimeoutError' }));
    await setImmediate();
    assert.deepEqual([sent, connection.sent], [['a1', 'a2'], [INFO]]);
    t.mock.timers.tick(1_250);
    await Promise.all(failed);
  });

  it('never sends a write that was reported as failed while the replicas were counted', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { connection, write } = createWrites('auto');
    const replies = holdReplies(connection);
    const failed = assert.rejects(write('a'), { name: 'RedisTimeoutError' });
    await setImmediate();
    t.mock.timers.tick(1_250);
    await failed;
    replies[0]?.resolve(['# Replication\r\nrole:master\r\n']);
    await setImmediate();
    assert.deepEqual(connection.sent, [INFO]);
  });

  it('closes its connection', async () => {
    const { connection, writes } = createWrites(1);
    await writes[Symbol.asyncDispose]();
    assert.equal(connection.isClosed, true);
  });
});

/** Replies to `sendTogether` that the test gives later, in the order of the calls. */
function holdReplies(connection: FakeConnection) {
  const replies: PromiseWithResolvers<readonly (RedisReply | ErrorReply)[]>[] = [];
  connection.sendTogether = (_key, commands) => {
    connection.sent.push(commands.map((command) => command.join(' ')).join(', '));
    const reply = Promise.withResolvers<readonly (RedisReply | ErrorReply)[]>();
    replies.push(reply);
    return reply.promise;
  };
  return replies;
}

/** Writes whose replies the test gives as `replies[1]`, after a write that has settled. */
async function sendBatchOfTwo() {
  const { connection, write } = createWrites(1);
  const replies = holdReplies(connection);
  const [first, second, third] = [write('a1'), write('a2'), write('a3')];
  await setImmediate();
  replies[0]?.resolve(['of a1', 1]);
  await first;
  return { connection, replies, second, third };
}

function mockClock(t: TestContext) {
  const clock = { now: 5_000 };
  t.mock.method(performance, 'now', () => clock.now);
  return clock;
}
