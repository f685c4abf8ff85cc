import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { VestibuleConfig } from '../config/vestibule-config.ts';
import { ProblemError } from '../http/problem-error.ts';
import { StoreUnavailableError, type Store } from '../store/store.ts';
import {
  ada, createMemoryStore, createSignInProcess, grantOf, mallory, notSent, returnOf, type Exchange, type SignInProcess,
} from './_sign-in-world.ts';
import type { Profile } from './profiles.ts';
import { syncIdOf, type FoundSync, type SyncState } from './sync-transaction.ts';

interface World extends SignInProcess {
  readonly store: Store;
  /** Codes that were sent, in order. */
  readonly sent: string[];
  /** A second process on the same store. */
  readonly other: SignInProcess;
}

interface WorldOptions {
  readonly exchange?: Exchange;
  readonly settings?: Partial<VestibuleConfig>;
}

async function withWorld(test: (world: World) => Promise<void>, options: WorldOptions = {}): Promise<void> {
  const { exchange = async () => grantOf(ada), settings = {} } = options;
  await using store = createMemoryStore();
  const sent: string[] = [];
  const shared = { store, settings, exchange: (code: string) => { sent.push(code); return exchange(code); } };
  const [process, other] = [createSignInProcess(shared), createSignInProcess(shared)];
  await test({ ...process, store, sent, other });
}

const browserOf = (...syncKeys: string[]) => ({ syncKeys, sessionId: undefined, partition: 'address', requestId: 'request' });
const as = (username: string, answers: object = {}) => ({ username, answers, languages: [] });

const problem = (type: ProblemError['type']) => ({ name: 'ProblemError', type });

async function stateOf({ transactions }: SignInProcess, key: string): Promise<SyncState | undefined> {
  return (await transactions.find(key))?.record.state;
}

/** Makes the calls of `method` fail that `isFailing` selects, counted from 1, after they were applied if `applied`. */
function failStore(store: Store, method: 'compareAndSet' | 'set' | 'setIfAbsent' | 'take', isFailing: (call: number, key: string) => boolean, applied = false): void {
  const original = store[method].bind(store) as (...args: unknown[]) => Promise<unknown>;
  let calls = 0;
  Object.assign(store, {
    [method]: async (...args: unknown[]) => {
      calls += 1;
      if (!isFailing(calls, String(args[0]))) return original(...args);
      if (applied) await original(...args);
      throw new StoreUnavailableError(new Error('lost'));
    },
  });
}

describe('SignIn.start', () => {
  it('gives a code to the first claim', () => withWorld(async ({ signIn }) => {
    await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    await assert.rejects(signIn.start(returnOf('c'), 'news', { syncKeys: [] }), problem('code-already-used'));
  }));

  it('gives the same transaction to a repeated request of the browser, or with its request key', () => withWorld(async ({ signIn }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [], requestKey: 'r' });
    assert.equal(await signIn.start(returnOf('c'), 'news', { syncKeys: [key] }), key);
    assert.equal(await signIn.start(returnOf('c'), 'news', { syncKeys: [], requestKey: 'r' }), key);
    await assert.rejects(signIn.start(returnOf('c'), 'news', { syncKeys: [], requestKey: 'other' }), problem('code-already-used'));
  }));

  it('refuses a spent code to the browser that spent it', () => withWorld(async ({ signIn }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    await signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
    await assert.rejects(signIn.start(returnOf('c'), 'news', { syncKeys: [key] }), problem('code-already-used'));
  }));

  it('leaves no transaction behind when the code belongs to another one', () => withWorld(async ({ signIn, store }) => {
    const count = async () => (await Array.fromAsync(store.entries('sync:'))).length;
    await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    await signIn.start(returnOf('c'), 'news', { syncKeys: [] }).catch(() => undefined);
    assert.equal(await count(), 1);
  }));

  it('refuses a completion endpoint that is not the service\'s', () => withWorld(async ({ signIn, store }) => {
    const evil = { ...returnOf('c'), audiencesync_uri: 'https://evil.example/audiencesync/complete/' };
    await assert.rejects(signIn.start(evil, 'news', { syncKeys: [] }), problem('untrusted-completion-uri'));
    assert.deepEqual(await Array.fromAsync(store.entries('')), []);
  }));
});

describe('SignIn.validate', () => {
  it('signs in the user that was shown and proven', () => withWorld(async (world) => {
    const key = await world.signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    const { outcome, sessionId } = await world.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
    assert.equal(outcome.outcome, 'accepted');
    assert.equal(new URL(outcome.completion_url).searchParams.get('success'), '1');
    assert.deepEqual((await world.sessions.find(sessionId ?? ''))?.user, ada);
    assert.equal(await stateOf(world, key), 'done');
  }));

  it('finishes the named transaction, not the newest one', () => withWorld(async ({ signIn, sessions, sent }) => {
    const shown = await signIn.start(returnOf('hers'), 'news', { syncKeys: [] });
    const planted = await signIn.start(returnOf('planted', mallory), 'news', { syncKeys: [shown] });
    const { sessionId } = await signIn.validate(syncIdOf(shown), as(ada.username), browserOf(shown, planted));
    assert.deepEqual((await sessions.find(sessionId ?? ''))?.user, ada);
    assert.deepEqual(sent, ['hers']);
  }));

  it('finishes no transaction of another browser', () => withWorld(async ({ signIn, sent }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    for (const browser of [browserOf(), browserOf('another')]) {
      assert.throws(() => signIn.validate(syncIdOf(key), as(ada.username), browser), problem('no-sync-in-progress'));
    }
    assert.deepEqual(sent, []);
  }));

  it('asks again when the service proves another username, without a second exchange', () => withWorld(async (world) => {
    const { signIn, sessions, sent } = world;
    const key = await signIn.start(returnOf('c', { ...ada, username: 'jane (that is you)' }), 'news', { syncKeys: [] });
    const confirm = (username: string) => signIn.validate(syncIdOf(key), as(username), browserOf(key));
    await assert.rejects(confirm('jane (that is you)'), { ...problem('user-changed'), user: ada });
    assert.equal(await stateOf(world, key), 'granted');
    assert.deepEqual((await sessions.find((await confirm(ada.username)).sessionId ?? ''))?.user, ada);
    assert.deepEqual(sent, ['c']);
  }));

  it('refuses another user_id for good', () => withWorld(async ({ signIn, sent }) => {
    const key = await signIn.start(returnOf('c', { ...ada, user_id: '1' }), 'news', { syncKeys: [] });
    for (let i = 0; i < 2; i += 1) {
      await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), problem('user-mismatch'));
    }
    assert.deepEqual(sent, ['c']);
  }));

  it('shows the proven user_id when the exchange returns no username', () => withWorld(async ({ signIn, sessions }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    const confirm = (username: string) => signIn.validate(syncIdOf(key), as(username), browserOf(key));
    await assert.rejects(confirm(ada.username), { ...problem('user-changed'), user: { user_id: ada.user_id, username: ada.user_id } });
    const { sessionId } = await confirm(ada.user_id);
    assert.deepEqual((await sessions.find(sessionId ?? ''))?.user, { user_id: ada.user_id, username: ada.user_id });
  }, { exchange: async () => ({ ...grantOf(ada), username: undefined }) }));

  it('gives the identical request the same outcome and session', () => withWorld(async ({ signIn, other, sent }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    const first = await signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
    assert.deepEqual(await other.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), first);
    assert.deepEqual(sent, ['c']);
  }));

  it('exchanges once for ten requests at once and gives all of them the same outcome', () => withWorld(async ({ signIn, other, sent }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    const validate = (_: unknown, i: number) => (
      (i % 2 ? signIn : other.signIn).validate(syncIdOf(key), as(ada.username), browserOf(key))
    );
    const all = await Promise.all(Array.from({ length: 10 }, validate));
    assert.equal(new Set(all.map(({ sessionId }) => sessionId)).size, 1);
    assert.deepEqual(sent, ['c']);
  }));

  it('keeps the code for a retry when the service certainly did not get it', () => {
    let calls = 0;
    return withWorld(async (world) => {
      const key = await world.signIn.start(returnOf('c'), 'news', { syncKeys: [] });
      const validate = () => world.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
      await assert.rejects(validate(), problem('service-unavailable'));
      assert.equal(await stateOf(world, key), 'validating');
      assert.equal((await validate()).outcome.outcome, 'accepted');
    }, { exchange: async () => { calls += 1; if (calls === 1) throw notSent(); return grantOf(ada); } });
  });

  for (const type of ['outcome-unknown', 'service-refused', 'bad-service-response'] as const) {
    it(`ends in ${type} for good when the exchange does`, () => withWorld(async ({ signIn, sent }) => {
      const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
      for (let i = 0; i < 2; i += 1) {
        await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), problem(type));
      }
      assert.deepEqual(sent, ['c']);
    }, { exchange: async () => { throw new ProblemError(type); } }));
  }

  it('is outcome-unknown after a crash during the exchange, and never sends the code again', () => withWorld(async (world) => {
    const key = await world.signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    const found = await world.transactions.find(key) as FoundSync<'validating'>;
    await world.transactions.move(found, { ...found.record, state: 'exchanging' });
    assert.equal(await world.codes.spend('c', key), true);
    for (let i = 0; i < 2; i += 1) {
      await assert.rejects(world.other.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), problem('outcome-unknown'));
    }
    assert.deepEqual(world.sent, []);
  }));

  it('exchanges the code after a crash before it was marked as spent', () => withWorld(async (world) => {
    const key = await world.signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    const found = await world.transactions.find(key) as FoundSync<'validating'>;
    await world.transactions.move(found, { ...found.record, state: 'exchanging' });
    const { outcome } = await world.other.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
    assert.deepEqual([outcome.outcome, world.sent], ['accepted', ['c']]);
  }));

  it('completes from the grant after a crash or a failure of the store', () => withWorld(async (world) => {
    const key = await world.signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    let isDown = true;
    failStore(world.store, 'set', (_, storeKey) => isDown && storeKey.startsWith('session:'));
    await assert.rejects(world.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), problem('service-unavailable'));
    assert.equal(await stateOf(world, key), 'granted');
    isDown = false;
    const { sessionId } = await world.other.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
    assert.deepEqual((await world.sessions.find(sessionId ?? ''))?.user, ada);
    assert.deepEqual(world.sent, ['c']);
  }));

  it('finds a move whose reply was lost', () => withWorld(async ({ signIn, store, sessions, sent }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    failStore(store, 'compareAndSet', (call) => call % 2 === 1, true);
    const { sessionId } = await signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
    assert.deepEqual((await sessions.find(sessionId ?? ''))?.user, ada);
    assert.deepEqual(sent, ['c']);
  }));

  it('says outcome-unknown when the grant cannot be kept', () => withWorld(async ({ signIn, store }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    failStore(store, 'compareAndSet', (call) => call > 2);
    await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), problem('outcome-unknown'));
  }));

  it('accepts the claimed user as unproven when the exchange returns none and the publisher allows it', () => {
    const seen: unknown[] = [];
    return withWorld(async ({ signIn, sessions, profiles }) => {
      const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
      const { sessionId } = await signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
      assert.deepEqual((await sessions.find(sessionId ?? ''))?.user, { ...ada, proven: false });
      assert.deepEqual(seen, [{ ...ada, proven: false }]);
      assert.equal((await Array.fromAsync(profiles.all()))[0]?.proven, false);
    }, {
      exchange: async () => ({ accessToken: 't', userId: undefined, username: undefined }) as never,
      settings: { requireProvenUser: false, validation: { fields: [], onAccepted: ({ user }) => { seen.push(user); } } },
    });
  });

  it('refuses an exchange without a user otherwise', () => withWorld(async ({ signIn }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), problem('bad-service-response'));
  }, { exchange: async () => ({ accessToken: 't', userId: undefined, username: undefined }) as never }));
});

describe('the hooks of a sign-in', () => {
  const calls: string[] = [];
  const hooks = { fields: [], validate: () => { calls.push('validate'); return { ok: true } as const; }, onAccepted: () => { calls.push('onAccepted'); } };

  it('run onAccepted only for a proven user: an invented code reaches no hook with effects', () => {
    calls.length = 0;
    return withWorld(async ({ signIn }) => {
      for (let i = 0; i < 60; i += 1) {
        const key = await signIn.start(returnOf(`made-up-${i}`), 'news', { syncKeys: [] });
        await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), problem('service-refused'));
      }
      assert.deepEqual(new Set(calls), new Set(['validate']));
    }, { exchange: async () => { throw new ProblemError('service-refused'); }, settings: { validation: hooks } });
  });

  it('leave the grant usable when onAccepted fails: the retry needs no new code', () => {
    let failures = 1;
    return withWorld(async (world) => {
      const key = await world.signIn.start(returnOf('c'), 'news', { syncKeys: [] });
      const validate = () => world.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
      await assert.rejects(validate(), problem('internal-error'));
      assert.deepEqual(await Array.fromAsync(world.profiles.all()), []);
      assert.equal((await validate()).outcome.outcome, 'accepted');
      assert.deepEqual(world.sent, ['c']);
    }, { settings: { validation: { fields: [], onAccepted: () => { if (failures > 0) { failures -= 1; throw new Error('CRM down'); } } } } });
  });

  it('leave the code unspent when validate fails or returns another shape', async () => {
    for (const validate of [() => { throw new Error('no'); }, () => true, () => undefined, () => ({ ok: 'yes' }), () => ({ ok: false, retry: true, fields: { nothing: 'x' } })]) {
      await withWorld(async (world) => {
        const key = await world.signIn.start(returnOf('c'), 'news', { syncKeys: [] });
        await assert.rejects(world.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), problem('internal-error'));
        assert.equal(await stateOf(world, key), 'validating');
        assert.deepEqual(world.sent, []);
      }, { settings: { validation: { fields: [], validate: validate as never } } });
    }
  });
});

describe('a sign-out or a newer sign-in', () => {
  const deferred = () => Promise.withResolvers<void>();

  async function raceExchange(
    interrupt: (world: World, key: string) => Promise<unknown>,
    check: (world: World) => Promise<void>,
  ): Promise<void> {
    const [reached, answer] = [deferred(), deferred()];
    await withWorld(async (world) => {
      const key = await world.signIn.start(returnOf('slow'), 'news', { syncKeys: [] });
      const validating = world.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
      await reached.promise;
      await interrupt(world, key);
      answer.resolve();
      await assert.rejects(validating, problem('no-sync-in-progress'));
      await check(world);
    }, { exchange: async (code) => { if (code === 'slow') { reached.resolve(); await answer.promise; } return grantOf(ada); } });
  }

  const expectNoSession = async ({ store }: World) => { assert.deepEqual(await Array.fromAsync(store.entries('session:')), []); };

  it('sign-out wins against an exchange in flight', () => raceExchange(({ signIn }, key) => signIn.forget([key]), expectNoSession));

  it('a newer sign-in wins against an exchange in flight', () => raceExchange(
    ({ signIn }, key) => signIn.start(returnOf('newer'), 'news', { syncKeys: [key] }),
    expectNoSession,
  ));

  for (const step of ['while onAccepted works', 'after the profile is saved']) {
    for (const [what, interrupt] of [
      ['a sign-out', ({ signIn }: World, key: string) => signIn.forget([key])],
      ['the deletion of the reader', ({ readers }: World) => readers.delete(ada.user_id)],
    ] as const) {
      it(`${what} ${step} leaves neither a profile nor a session`, async () => {
        const [reached, goOn] = [deferred(), deferred()];
        const wait = async () => { reached.resolve(); await goOn.promise; };
        await withWorld(async (world) => {
          const key = await world.signIn.start(returnOf('c'), 'news', { syncKeys: [] });
          if (step === 'after the profile is saved') {
            const create = world.sessions.create.bind(world.sessions);
            world.sessions.create = async (...args) => { await wait(); return create(...args); };
          }
          const validating = world.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
          await reached.promise;
          await interrupt(world, key);
          goOn.resolve();
          await assert.rejects(validating, problem('no-sync-in-progress'));
          assert.deepEqual(await Array.fromAsync(world.profiles.all()), []);
          await expectNoSession(world);
        }, { settings: { validation: { fields: [], onAccepted: async () => { if (step === 'while onAccepted works') await wait(); } } } });
      });
    }
  }

  it('a sign-out takes back no profile that a later sign-in saved', () => withWorld(async ({ profiles }) => {
    const [earlier, later] = [1, 2].map((day) => ({
      ...ada, forum: 'news', answers: {}, accepted_at: `2026-03-0${day}T00:00:00.000Z`, form_version: 'v',
    })) as [Profile, Profile];
    await profiles.save(later);
    await profiles.takeBack(earlier);
    assert.deepEqual(await Array.fromAsync(profiles.all()), [later]);
    await profiles.takeBack(later);
    assert.deepEqual(await Array.fromAsync(profiles.all()), []);
  }));

  it('sign-out ends the session that a finished transaction created', () => withWorld(async ({ signIn, sessions }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    const { sessionId } = await signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
    await signIn.forget([key]);
    assert.equal(await sessions.find(sessionId ?? ''), undefined);
  }));
});

describe('SignIn.cancel', () => {
  it('completes with success=0 and without a session', () => withWorld(async ({ signIn, store }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    const cancel = () => signIn.cancel(syncIdOf(key), browserOf(key));
    const { outcome, sessionId } = await cancel();
    assert.deepEqual([outcome.outcome, new URL(outcome.completion_url).searchParams.get('success'), sessionId], ['cancelled', '0', undefined]);
    assert.deepEqual(await cancel(), { outcome, sessionId });
    await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), problem('no-sync-in-progress'));
    assert.deepEqual(await Array.fromAsync(store.entries('session:')), []);
  }));
});
