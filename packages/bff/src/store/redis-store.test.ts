/** What no real server does on demand. `test/store` runs the contract of the store on real servers. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClientClosedError, ClientOfflineError, ErrorReply } from '@redis/client';
import { RedisTimeoutError, type RedisConnection, type RedisReply } from './redis-connection.ts';
import { RedisStore } from './redis-store.ts';
import type { ReplicatedWrites } from './replicated-writes.ts';

const storeOf = (connection: Partial<RedisConnection>) => new RedisStore(connection as RedisConnection);
const failing = (error: unknown) => storeOf({ send: async () => { throw error; } });

describe('RedisStore', () => {
  for (const refusal of [new ErrorReply('OOM command not allowed'), new ClientOfflineError(), new ClientClosedError()]) {
    it(`says that a write was not carried out after ${refusal.constructor.name}`, async () => {
      await assert.rejects(failing(refusal).set('session:1', 'value', 1_000), {
        name: 'StoreUnavailableError', mayHaveApplied: false, cause: refusal,
      });
    });
  }

  it('says that a write may have been carried out if its reply is missing', async () => {
    await assert.rejects(failing(new RedisTimeoutError()).set('session:1', 'value', 1_000), { name: 'StoreUnavailableError', mayHaveApplied: true });
  });

  it('pings with a write that creates nothing, and waits less than a second', async () => {
    const sent: unknown[] = [];
    const store = storeOf({ send: async (...args) => { sent.push(args); return null; } });
    await store.ping();
    assert.deepEqual(sent, [['vestibule:ping', ['SET', 'vestibule:ping', '', 'XX'], 750]]);
  });

  it('rounds lifetimes up to whole milliseconds', async () => {
    const commands: string[][] = [];
    const store = storeOf({ send: async (_key, command) => { commands.push(command); return 1; } });
    await store.set('session:1', 'value', 0.5);
    await store.touch('session:1', 1_000.1);
    assert.deepEqual(commands, [['SET', 'vestibule:session:1', 'value', 'PX', '1'], ['PEXPIRE', 'vestibule:session:1', '1001']]);
  });

  it('gives an entry in its last millisecond an expiry', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 5_000 });
    assert.deepEqual(await storeOf({ send: async () => ['value', 0] }).get('session:1'), { value: 'value', expiresAt: 5_000 });
  });

  describe('entries', () => {
    const masterOf = (pages: readonly (readonly [cursor: string, names: string[]])[]) => {
      const left = [...pages];
      return { name: 'cache:6379', send: async (): Promise<RedisReply> => left.shift() ?? null };
    };
    const get = async (_key: string, [, , , name = '']: string[]): Promise<RedisReply> => (
      name === 'vestibule:note:gone' ? [null, -2] : [`value of ${name}`, 1_000]
    );

    it('lists the keys of every page of every master, each once per page, without those that have gone', async () => {
      const store = storeOf({ send: get, masters: async () => [
        masterOf([['7', ['vestibule:note:1', 'vestibule:note:1', 'vestibule:note:gone']], ['0', ['vestibule:note:2']]]),
        masterOf([['0', ['vestibule:note:3']]]),
      ] });
      assert.deepEqual(await Array.fromAsync(store.entries('note:')), ['1', '2', '3'].map((id) => (
        [`note:${id}`, `value of vestibule:note:${id}`]
      )));
    });

    it('fails as unavailable if a master or a key cannot be read', async () => {
      const lost = new RedisTimeoutError();
      const withoutMasters = storeOf({ masters: async () => { throw lost; } });
      await assert.rejects(Array.fromAsync(withoutMasters.entries('')), { name: 'StoreUnavailableError', cause: lost });
      const withoutKeys = storeOf({ send: async () => { throw lost; }, masters: async () => [masterOf([['0', ['vestibule:note:1']]])] });
      await assert.rejects(Array.fromAsync(withoutKeys.entries('')), { name: 'StoreUnavailableError', cause: lost });
    });
  });

  it('sends reads and touches over its own connection, and writes of `replicated` over the other', async () => {
    const sent: string[] = [];
    const sender = (name: string, reply: RedisReply) => async (_key: string, [command]: string[]) => {
      sent.push(`${name}: ${command}`);
      return reply;
    };
    const writes = { send: sender('writes', 'OK') } as unknown as ReplicatedWrites;
    const store = new RedisStore({ send: sender('connection', ['value', -1]) } as unknown as RedisConnection, writes);
    const { replicated } = store;
    assert.ok(replicated);
    assert.deepEqual(await replicated.get('session:1'), { value: 'value', expiresAt: undefined });
    await replicated.set('session:1', 'value', undefined);
    await replicated.compareAndSet('session:1', 'value', 'new', 'keep');
    await replicated.touch('session:1', 1_000);
    await store.set('session:1', 'value', undefined);
    assert.deepEqual(sent, ['connection: EVAL', 'writes: SET', 'writes: EVAL', 'connection: PEXPIRE', 'connection: SET']);
  });

  it('closes both connections', async () => {
    const closed: string[] = [];
    const closing = (name: string) => ({ [Symbol.asyncDispose]: async () => { closed.push(name); } });
    const store = new RedisStore(closing('connection') as unknown as RedisConnection, closing('writes') as unknown as ReplicatedWrites);
    await store[Symbol.asyncDispose]();
    assert.deepEqual(closed, ['writes', 'connection']);
    await storeOf(closing('connection'))[Symbol.asyncDispose]();
    assert.deepEqual(closed, ['writes', 'connection', 'connection']);
  });
});
