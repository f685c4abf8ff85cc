import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProblemError } from '../http/problem-error.ts';
import { endTimersAtOnce } from '../lib/_immediate-timers.ts';
import { COOKIES_SETTING } from '../session/reader.ts';
import { StoreUnavailableError, type Store } from '../store/store.ts';
import {
  ada, createMemoryStore, createSignInProcess, grantOf, mallory, notSent, returnOf, type Exchange, type SignInProcess,
  type SignInProcessOptions,
} from './_sign-in-world.ts';
import type { Profile } from './profiles.ts';
import type { SignInBrowser } from './sign-in.ts';
import { syncIdOf, type FoundSync, type SyncState } from './sync-transaction.ts';

interface World extends SignInProcess {
  readonly store: Store;
  /** Codes that were sent, in order. */
  readonly sent: string[];
  /** A second process on the same store. */
  readonly other: SignInProcess;
}

interface WorldOptions extends Pick<SignInProcessOptions, 'refusalOf' | 'settings'> {
  readonly exchange?: Exchange;
}

async function withWorld(test: (world: World) => Promise<void>, options: WorldOptions = {}): Promise<void> {
  const { exchange = async () => grantOf(ada), ...others } = options;
  await using store = createMemoryStore();
  const sent: string[] = [];
  const send: Exchange = (...args) => { sent.push(args[0]); return exchange(...args); };
  const shared = { ...others, store, exchange: send };
  const [process, other] = [createSignInProcess(shared), createSignInProcess(shared)];
  await test({ ...process, store, sent, other });
}

const browserOf = (...syncKeys: string[]): SignInBrowser => (
  { syncKeys, sessionId: undefined, partition: 'address', requestId: 'request' }
);
const as = (username: string, answers: object = {}) => ({ username, answers, languages: [] });

const problem = (type: ProblemError['type']) => ({ name: 'ProblemError', type });

const interrupted = { reason: 'the BFF ended, or lost its store, while it exchanged the code', setting: 'log lines of the sign-in' };

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

  it('refuses a code whose claim expires while it is handed in again', () => withWorld(async ({ signIn, codes }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    codes.find = async () => undefined;
    await assert.rejects(signIn.start(returnOf('c'), 'news', { syncKeys: [key] }), problem('code-already-used'));
  }));

  it('leaves no transaction behind when the code belongs to another one', () => withWorld(async ({ signIn, store }) => {
    const count = async () => (await Array.fromAsync(store.entries('sync:'))).length;
    await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    await signIn.start(returnOf('c'), 'news', { syncKeys: [] }).catch(() => undefined);
    assert.equal(await count(), 1);
  }));

  it('numbers the sign-ins of a browser', () => withWorld(async ({ signIn, transactions }) => {
    const start = async (code: string, syncKeys: string[]) => {
      const key = await signIn.start(returnOf(code), 'news', { syncKeys });
      return { key, sequence: (await transactions.find(key))?.record.sequence };
    };
    const first = await start('a', ['a cookie of an expired one']);
    const second = await start('b', [first.key]);
    assert.deepEqual([first.sequence, second.sequence], [1, 2]);
    assert.equal((await start('c', [second.key, first.key])).sequence, 3);
    assert.equal((await start('d', [first.key])).sequence, 2);
  }));

  it('gives the code to one of two concurrent returns, and leaves one transaction', () => withWorld(async ({ signIn, store }) => {
    const start = () => signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    const [first, second] = await Promise.allSettled([start(), start()]);
    assert.deepEqual([first.status, (second as PromiseRejectedResult).reason.type], ['fulfilled', 'code-already-used']);
    assert.equal((await Array.fromAsync(store.entries('sync:'))).length, 1);
  }));

  it('gives one transaction to a request and its repetition that arrives meanwhile', () => withWorld(async ({ signIn, other, store }) => {
    const options = { syncKeys: [], requestKey: 'r' };
    const [first, second] = await Promise.all([signIn, other.signIn].map((one) => one.start(returnOf('c'), 'news', options)));
    assert.equal(first, second);
    assert.equal((await Array.fromAsync(store.entries('sync:'))).length, 1);
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
    const validate = (browser: SignInBrowser) => () => signIn.validate(syncIdOf(key), as(ada.username), browser);
    assert.throws(validate(browserOf()), {
      ...problem('no-sync-in-progress'), diagnosis: { reason: 'no cookie of a sign-in arrived', setting: COOKIES_SETTING },
    });
    assert.throws(validate(browserOf('another')), {
      ...problem('no-sync-in-progress'),
      diagnosis: { reason: 'the sign-in belongs to another browser, or expired', setting: 'nothing: the reader signs in again' },
    });
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
    assert.equal(await world.codes.spend('c', { owner: key, attempt: 'lost' }), true);
    const validate = () => world.other.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
    await assert.rejects(validate(), { ...problem('outcome-unknown'), diagnosis: interrupted, replayed: false });
    await assert.rejects(validate(), { ...problem('outcome-unknown'), replayed: true });
    assert.deepEqual(world.sent, []);
  }));

  it('exchanges the code after a crash before it was marked as spent', () => withWorld(async (world) => {
    const key = await world.signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    const found = await world.transactions.find(key) as FoundSync<'validating'>;
    await world.transactions.move(found, { ...found.record, state: 'exchanging' });
    const { outcome } = await world.other.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
    assert.deepEqual([outcome.outcome, world.sent], ['accepted', ['c']]);
  }));

  it('stays completed when a request that lost its lease ends later', async () => {
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    let calls = 0;
    const onAccepted = async () => {
      calls += 1;
      if (calls > 1) return;
      reached.resolve();
      await gate.promise;
    };
    await withWorld(async ({ signIn, other, sessions, profiles, store }) => {
      const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
      const slow = signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
      await reached.promise;
      for (const [lease] of await Array.fromAsync(store.entries('lease:'))) await store.delete(lease);
      const { outcome, sessionId = '' } = await other.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
      gate.resolve();
      assert.deepEqual([(await slow).sessionId, (await slow).outcome], [sessionId, outcome]);
      assert.deepEqual((await sessions.find(sessionId))?.user, ada);
      assert.equal((await Array.fromAsync(profiles.all())).length, 1);
    }, { settings: { validation: { fields: [], onAccepted } } });
  });

  it('does not report a rejection when another request has signed the reader in meanwhile', async () => {
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    let calls = 0;
    const validate = async () => {
      calls += 1;
      if (calls > 1) return { ok: true } as const;
      reached.resolve();
      await gate.promise;
      return { ok: false, reason: 'No.' } as const;
    };
    await withWorld(async ({ signIn, other, sessions, store, transactions }) => {
      const key = await transactions.start({ ...returnOf('c'), forum: 'news', sequence: 0 });
      const found = await transactions.find(key) as FoundSync<'validating'>;
      const exchanging = await transactions.move(found, { ...found.record, state: 'exchanging' }) as FoundSync<'exchanging'>;
      const grant = { accessToken: 'token', user: ada };
      await transactions.move(exchanging, { ...found.record, state: 'granted', grant, sessionId: 'session' });
      const slow = signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
      await reached.promise;
      for (const [lease] of await Array.fromAsync(store.entries('lease:'))) await store.delete(lease);
      await other.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
      gate.resolve();
      await assert.rejects(slow, problem('no-sync-in-progress'));
      assert.deepEqual((await sessions.find('session'))?.user, ada);
    }, { settings: { validation: { fields: [], validate } } });
  });

  it('completes from the grant after a crash or a failure of the store', () => withWorld(async (world) => {
    const key = await world.signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    let isDown = true;
    failStore(world.store, 'set', (_, storeKey) => isDown && storeKey.startsWith('session:'));
    await assert.rejects(world.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), {
      ...problem('service-unavailable'), detail: 'Signing in could not be completed just now. Please try again.', retryAfterSeconds: 2,
    });
    assert.equal(await stateOf(world, key), 'granted');
    isDown = false;
    const { sessionId } = await world.other.signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
    assert.deepEqual((await world.sessions.find(sessionId ?? ''))?.user, ada);
    assert.deepEqual(world.sent, ['c']);
  }));

  it('finds a move whose reply was lost', (t) => withWorld(async ({ signIn, store, sessions, sent }) => {
    endTimersAtOnce(t);
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    failStore(store, 'compareAndSet', (call) => call % 2 === 1, true);
    const { sessionId } = await signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
    assert.deepEqual((await sessions.find(sessionId ?? ''))?.user, ada);
    assert.deepEqual(sent, ['c']);
  }));

  it('says outcome-unknown when the grant cannot be kept', (t) => withWorld(async ({ signIn, store }) => {
    endTimersAtOnce(t);
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    failStore(store, 'compareAndSet', (call) => call > 2);
    await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), (error: ProblemError) => (
      error.type === 'outcome-unknown' && error.cause instanceof StoreUnavailableError
    ));
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
    await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), {
      ...problem('bad-service-response'),
      diagnosis: { reason: 'the token exchange returned no user_id', setting: 'VESTIBULE_REQUIRE_PROVEN_USER' },
    });
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

  for (const step of ['starts', 'ends']) {
    it(`a newer sign-in that ${step} wins against an earlier one whose answers the publisher still checks`, async () => {
      const [reached, goOn] = [deferred(), deferred()];
      const validate = async ({ forum }: { forum: string }) => {
        if (forum === 'slow') { reached.resolve(); await goOn.promise; }
        return { ok: true } as const;
      };
      await withWorld(async ({ signIn, sessions, sent, store }) => {
        const key = await signIn.start(returnOf('earlier'), 'slow', { syncKeys: [] });
        const startNewer = () => signIn.start(returnOf('newer'), 'news', { syncKeys: [key] });
        const begun = step === 'ends' ? await startNewer() : undefined;
        const validating = signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
        await reached.promise;
        const newer = begun ?? await startNewer();
        if (step === 'ends') await signIn.validate(syncIdOf(newer), as(ada.username), browserOf(key, newer));
        goOn.resolve();
        await assert.rejects(validating, problem('no-sync-in-progress'));
        const { sessionId } = await signIn.validate(syncIdOf(newer), as(ada.username), browserOf(key, newer));
        assert.equal((await sessions.find(sessionId ?? ''))?.user.user_id, ada.user_id);
        assert.deepEqual([sent, (await Array.fromAsync(store.entries('session:'))).length], [['newer'], 1]);
      }, { settings: { validation: { fields: [], validate } } });
    });
  }

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

  it('keeps no profile of a sign-in that ended while onAccepted worked, also if the store cannot end its session', async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const onAccepted = () => { reached.resolve(); return goOn.promise; };
    await withWorld(async ({ signIn, transactions, sessions, profiles }) => {
      const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
      sessions.end = async () => { throw new StoreUnavailableError(new Error('lost')); };
      const validating = signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
      await reached.promise;
      await transactions.remove(key);
      goOn.resolve();
      await assert.rejects(validating);
      assert.deepEqual(await Array.fromAsync(profiles.all()), []);
    }, { settings: { validation: { fields: [], onAccepted } } });
  });

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
    assert.equal('reason' in outcome, false);
    assert.deepEqual(await cancel(), { outcome, sessionId });
    await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), {
      ...problem('no-sync-in-progress'),
      diagnosis: { reason: 'the sign-in ended before: cancelled', setting: 'nothing: the reader signs in again' },
    });
    assert.deepEqual(await Array.fromAsync(store.entries('session:')), []);
  }));
});

describe('SignIn and the service', () => {
  it('asks in the partition of the browser, and no hook while the service refuses', async () => {
    const asked: unknown[] = [];
    let refusal: ProblemError | undefined = notSent();
    const validate = () => { asked.push('validate'); return { ok: true } as const; };
    await withWorld(async ({ signIn }) => {
      const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
      const finish = () => signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
      await assert.rejects(finish(), problem('service-unavailable'));
      refusal = undefined;
      await finish();
    }, {
      refusalOf: (...args) => { asked.push(args); return refusal; },
      exchange: async (...args) => { asked.push(args); return grantOf(ada); },
      settings: { validation: { fields: [], validate } },
    });
    const question = ['token-exchange', { partition: 'address' }];
    assert.deepEqual(asked, [question, question, 'validate', ['c', { partition: 'address' }]]);
  });

  it('ends as outcome-unknown with the cause when the exchange fails in an unexpected way', () => {
    const cause = new TypeError('a bug');
    return withWorld(async ({ signIn }) => {
      const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
      await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), { ...problem('outcome-unknown'), cause });
    }, { exchange: async () => { throw cause; } });
  });

  it('does not send a code that another request has spent', () => withWorld(async ({ signIn, codes, sent }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    await codes.spend('c', { owner: key, attempt: 'another' });
    const expected = { ...problem('outcome-unknown'), diagnosis: interrupted };
    await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), expected);
    assert.deepEqual(sent, []);
  }));

  for (const [what, owner] of [['nobody', undefined], ['another transaction', 'another']] as const) {
    it(`does not send the code of an interrupted exchange whose claim ${what} holds, and calls no hook`, () => withWorld(async ({ signIn, transactions, codes, sent }) => {
      const key = await transactions.start({ ...returnOf('c'), forum: 'news', sequence: 0 });
      const found = await transactions.find(key) as FoundSync<'validating'>;
      await transactions.move(found, { ...found.record, state: 'exchanging' });
      if (owner !== undefined) await codes.claim('c', { owner });
      await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), problem('outcome-unknown'));
      assert.deepEqual(sent, []);
    }, { settings: { validation: { fields: [], validate: () => assert.fail() } } }));
  }

  for (const [what, grant, user] of [
    ['id and name', { userId: ada.user_id, username: ada.username }, ada],
    ['an id without a name', { userId: ada.user_id, username: undefined }, { ...ada, proven: false }],
    ['a name without an id', { userId: undefined, username: ada.username }, { ...ada, proven: false }],
  ] as const) {
    const title = `keeps the user as ${user === ada ? 'proven' : 'claimed'} after ${what}, where the publisher needs no proof`;
    it(title, () => withWorld(async ({ signIn, sessions }) => {
      const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
      const { sessionId } = await signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
      assert.deepEqual((await sessions.find(sessionId ?? ''))?.user, user);
    }, { exchange: async () => ({ accessToken: 't', ...grant }), settings: { requireProvenUser: false } }));
  }
});

describe('SignIn and the answers', () => {
  const fields = [{ name: 'adult', type: 'checkbox', label: 'I am an adult', required: true, onFail: 'reject' }] as const;

  it('gives the hook the user, the answers and the forum', async () => {
    const seen: unknown[] = [];
    await withWorld(async ({ signIn }) => {
      const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
      await signIn.validate(syncIdOf(key), as(ada.username, { adult: true }), browserOf(key));
      assert.deepEqual(seen, [{ user: ada, answers: { adult: true }, forum: 'news' }]);
    }, {
      settings: {
        validation: { fields, validate: ({ signal: _, service: __, ...own }) => { seen.push(own); return { ok: true }; } },
      },
    });
  });

  for (const [what, answers, validate, reason] of [
    ['an answer that breaks a rule', { adult: false }, () => assert.fail('The hook ran.'), 'I am an adult: Please tick this box.'],
    ['the hook with a reason', { adult: true }, () => ({ ok: false, reason: 'Closed.' }) as const, 'Closed.'],
    ['the hook without one', { adult: true }, () => ({ ok: false }) as const, undefined],
  ] as const) {
    it(`rejects the reader by ${what}, again for the identical request, and leaves a notice`, () => withWorld(async ({ signIn, transactions, sessions }) => {
      const ended: string[] = [];
      sessions.end = async (id) => { ended.push(id); };
      const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
      const finish = () => signIn.validate(syncIdOf(key), as(ada.username, answers), { ...browserOf(key), sessionId: 'earlier' });
      const { outcome, sessionId } = await finish();
      const { completion_url, ...rest } = outcome;
      assert.deepEqual([rest, sessionId], [{ outcome: 'rejected', ...(reason !== undefined && { reason }) }, undefined]);
      assert.equal(new URL(completion_url).searchParams.get('success'), '0');
      assert.deepEqual(await finish(), { outcome, sessionId });
      const record = (await transactions.find(key))?.record;
      assert.equal(record?.state === 'done' && record.notice, 'rejected');
      assert.deepEqual(ended, []);
    }, { settings: { validation: { fields, validate } } }));
  }

  it('keeps no profile where the publisher discards them, and leaves no notice', () => withWorld(async ({ signIn, profiles, transactions }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    await signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
    assert.deepEqual(await Array.fromAsync(profiles.all()), []);
    assert.equal('notice' in ((await transactions.find(key))?.record ?? {}), false);
  }, { settings: { profiles: 'discard' } }));
});

describe('the sessions and sign-ins that a sign-in replaces', () => {
  /** Ids of the sessions that `sessions.end` was called with. */
  function recordEnds({ sessions }: World): string[] {
    const ended: string[] = [];
    sessions.end = async (id) => { ended.push(id); };
    return ended;
  }

  const accept = ({ signIn }: World, key: string, browser = browserOf(key)) => (
    signIn.validate(syncIdOf(key), as(ada.username), browser)
  );

  /** A transaction in `granted`, and the session that it would create. */
  async function startGranted(world: World, code: string, syncKeys: string[] = []): Promise<{ key: string; sessionId: string }> {
    const key = await world.signIn.start(returnOf(code), 'news', { syncKeys });
    await assert.rejects(world.signIn.validate(syncIdOf(key), as('another name'), browserOf(key)), problem('user-changed'));
    const { record } = await world.transactions.find(key) as FoundSync<'granted'>;
    return { key, sessionId: record.sessionId };
  }

  it('are the earlier session, and earlier sign-ins that ended or exchange', () => withWorld(async (world) => {
    const waiting = await world.signIn.start(returnOf('waiting'), 'news', { syncKeys: [] });
    const done = await world.signIn.start(returnOf('done'), 'news', { syncKeys: [] });
    const { sessionId } = await accept(world, done);
    const failed = await world.signIn.start(returnOf('failed'), 'news', { syncKeys: [] });
    await world.signIn.cancel(syncIdOf(failed), browserOf(failed));
    const key = await world.signIn.start(returnOf('c'), 'news', { syncKeys: [waiting, done, failed] });
    const granted = await startGranted(world, 'granted');
    const later = await world.signIn.start(returnOf('later'), 'news', { syncKeys: [key] });
    await accept(world, later);
    const ended = recordEnds(world);
    const syncKeys = [waiting, done, failed, granted.key, later, key, 'a cookie of an expired one'];
    await accept(world, key, { ...browserOf(...syncKeys), sessionId: 'earlier' });
    assert.deepEqual(ended, ['earlier', sessionId, granted.sessionId]);
    assert.deepEqual([await stateOf(world, waiting), await stateOf(world, granted.key), await stateOf(world, later)], ['validating', undefined, 'done']);
  }));

  it('are never the new session, when the browser has it already', () => withWorld(async (world) => {
    const { key, sessionId } = await startGranted(world, 'c');
    const ended = recordEnds(world);
    await accept(world, key, { ...browserOf(key), sessionId });
    assert.deepEqual(ended, []);
  }));

  it('stay after a cancelled sign-in', () => withWorld(async (world) => {
    const key = await world.signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    const ended = recordEnds(world);
    await world.signIn.cancel(syncIdOf(key), { ...browserOf(key), sessionId: 'earlier' });
    assert.deepEqual(ended, []);
  }));

  it('stay when the store fails, and another error is passed on', () => withWorld(async (world) => {
    for (const [code, error] of [['a', new StoreUnavailableError(new Error('lost'))], ['b', new TypeError('a bug')]] as const) {
      const key = await world.signIn.start(returnOf(code), 'news', { syncKeys: [] });
      world.sessions.end = () => Promise.reject(error);
      const accepting = accept(world, key, { ...browserOf(key), sessionId: 'earlier' });
      if (code === 'a') assert.equal((await accepting).outcome.outcome, 'accepted');
      else await assert.rejects(accepting, TypeError);
    }
  }));

  it('are those in progress, when a newer one starts', () => withWorld(async (world) => {
    const granted = await startGranted(world, 'granted');
    const waiting = await world.signIn.start(returnOf('waiting'), 'news', { syncKeys: [] });
    await world.signIn.start(returnOf('newer'), 'news', { syncKeys: [granted.key, waiting] });
    assert.deepEqual([await stateOf(world, granted.key), await stateOf(world, waiting)], [undefined, 'validating']);
  }));

  it('are all of the browser after a sign-out, with the session of each', () => withWorld(async (world) => {
    const granted = await startGranted(world, 'granted');
    const waiting = await world.signIn.start(returnOf('waiting'), 'news', { syncKeys: [] });
    const cancelled = await world.signIn.start(returnOf('cancelled'), 'news', { syncKeys: [] });
    await world.signIn.cancel(syncIdOf(cancelled), browserOf(cancelled));
    const ended = recordEnds(world);
    await world.signIn.forget([granted.key, waiting, cancelled, 'a cookie of an expired one']);
    assert.deepEqual(ended, [granted.sessionId]);
  }));

  it('are not confirmed under another name by a repeated request', () => withWorld(async (world) => {
    const key = await world.signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    await accept(world, key);
    await assert.rejects(world.signIn.validate(syncIdOf(key), as('another name'), browserOf(key)), { ...problem('user-changed'), user: ada });
  }));
});

describe('a sign-out while a request works', () => {
  it('ends a cancellation', () => withWorld(async ({ signIn, transactions }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    const move = transactions.move.bind(transactions);
    transactions.move = async (found, next) => {
      if (next.state === 'done') await signIn.forget([key]);
      return move(found, next);
    };
    await assert.rejects(signIn.cancel(syncIdOf(key), browserOf(key)), problem('no-sync-in-progress'));
  }));

  it('keeps the code from being sent while the hook works', async () => {
    let signOut = async (): Promise<void> => undefined;
    await withWorld(async ({ signIn, sent }) => {
      const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
      signOut = () => signIn.forget([key]);
      await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), problem('no-sync-in-progress'));
      assert.deepEqual(sent, []);
    }, { settings: { validation: { fields: [], validate: async () => { await signOut(); return { ok: true }; } } } });
  });

  it('keeps an interrupted exchange from starting over', () => withWorld(async ({ signIn, transactions, codes, sent }) => {
    const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
    const found = await transactions.find(key) as FoundSync<'validating'>;
    await transactions.move(found, { ...found.record, state: 'exchanging' });
    const find = codes.find.bind(codes);
    codes.find = async (code) => { await signIn.forget([key]); return find(code); };
    await assert.rejects(signIn.validate(syncIdOf(key), as(ada.username), browserOf(key)), problem('no-sync-in-progress'));
    assert.deepEqual(sent, []);
  }));

  it('waits in SignIn.idle for the request', async () => {
    const gate = Promise.withResolvers<void>();
    await withWorld(async ({ signIn }) => {
      await signIn.idle();
      const key = await signIn.start(returnOf('c'), 'news', { syncKeys: [] });
      const validating = signIn.validate(syncIdOf(key), as(ada.username), browserOf(key));
      let isIdle = false;
      const idle = signIn.idle().then(() => { isIdle = true; });
      await new Promise((resolve) => { setImmediate(resolve); });
      assert.equal(isIdle, false);
      gate.resolve();
      await Promise.all([validating, idle]);
    }, { exchange: async () => { await gate.promise; return grantOf(ada); } });
  });
});
