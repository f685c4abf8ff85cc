/** The sign-in transaction over HTTP (contract, section 3): repeated, concurrent and interrupted requests. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Profile } from '@vestibule/bff';
import type { SessionView, SyncOutcome } from '@vestibule/shared';
import type { Fault } from '../service/index.ts';
import { exchangesOf, expectProblem, expectStatus, setCookies, startBff, type Bff, type BffSettings, type Shown } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';

const ada = { user_id: '31007', username: 'Ada Quill' };
const anonymous = { state: 'anonymous', limits: { message_max_length: 10_000 } };
const KEY = 'idempotency-key-1';

const pairsOf = (res: Parameters<typeof setCookies>[0]) => setCookies(res).map((line) => line.split(';', 1)[0]);

/** The response of the token endpoint without the named members. */
const without = (...names: string[]): Fault => ({
  kind: 'rewrite',
  change: (grant: object) => Object.fromEntries(Object.entries(grant).filter(([name]) => !names.includes(name))),
});

/** A BFF whose `onAccepted` counts its calls, and waits for `release` from its first call on, if `isBlocking`. */
async function startCounting({ isBlocking = false, ...settings }: BffSettings & { readonly isBlocking?: boolean } = {}) {
  const accepted: object[] = [];
  const entered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const bff = await startBff({
    ...settings,
    validation: {
      fields: [],
      onAccepted: async ({ user }) => {
        accepted.push(user);
        entered.resolve();
        if (isBlocking && accepted.length === 1) await released.promise;
      },
    },
  });
  return { bff, accepted, entered: entered.promise, release: released.resolve };
}

async function profilesOf({ vestibule }: Bff): Promise<Profile[]> {
  return Array.fromAsync(vestibule.profiles.all());
}

describe('a repeated POST /sync', () => {
  it('from the same browser gets the same sign-in', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const syncReturn = browser.issueReturn();
    const first = await browser.start(syncReturn);
    const second = await browser.start(syncReturn);
    expectStatus(second, 201);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(pairsOf(second), pairsOf(first));
    assert.equal((await browser.validate()).body.outcome, 'accepted');
  });

  it('with the same Idempotency-Key gets the same sign-in after a lost response', async () => {
    await using bff = await startBff();
    const [lost, browser] = [bff.browser(), bff.browser()];
    const syncReturn = browser.issueReturn();
    const first = await lost.start(syncReturn).set('Idempotency-Key', KEY);
    const second = await browser.start(syncReturn).set('Idempotency-Key', `"${KEY}"`);
    expectStatus(second, 201);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(pairsOf(second), pairsOf(first));
    assert.equal((await browser.validate()).body.outcome, 'accepted');
  });

  it('from another browser is code-already-used, with another key or without one', async () => {
    await using bff = await startBff();
    const syncReturn = bff.browser().issueReturn();
    expectStatus(await bff.browser().start(syncReturn).set('Idempotency-Key', KEY), 201);
    for (const request of [bff.browser().start(syncReturn), bff.browser().start(syncReturn).set('Idempotency-Key', `${KEY}2`)]) {
      const res = await request;
      expectProblem(res, 'code-already-used');
      assert.deepEqual(setCookies(res), []);
    }
  });

  it('is code-already-used once the code is spent or the reader has signed out', async () => {
    await using bff = await startBff();
    for (const end of ['validate', 'delete'] as const) {
      const browser = bff.browser();
      const syncReturn = browser.issueReturn();
      await browser.start(syncReturn).set('Idempotency-Key', KEY);
      await (end === 'validate' ? browser.validate() : browser.delete('/session'));
      expectProblem(await browser.start(syncReturn).set('Idempotency-Key', KEY), 'code-already-used');
    }
  });
});

describe('the user who is signed in', () => {
  it('is never the one of a forged username: the reader confirms the proven name first', async () => {
    const { bff, accepted } = await startCounting();
    await using _ = bff;
    const browser = bff.browser();
    const forged = await browser.begin({ ...browser.issueReturn(), username: 'jane (that is you)' });
    for (let i = 0; i < 2; i += 1) {
      const res = await browser.validateShown(forged);
      assert.deepEqual(expectProblem(res, 'user-changed').user, ada);
      assert.deepEqual(setCookies(res), []);
    }
    const { state, sync } = await browser.session();
    assert.deepEqual([state, sync?.id, sync?.user], ['validating', forged.sync, ada]);
    assert.deepEqual([accepted, await profilesOf(bff)], [[], []]);

    expectStatus(await browser.validateShown({ ...forged, username: ada.username }), 200);
    assert.deepEqual((await browser.session()).user, ada);
    assert.deepEqual(accepted, [ada]);
    assert.equal((await profilesOf(bff))[0]?.username, ada.username);
    assert.equal(exchangesOf(bff), 1);
  });

  it('is shown by the proven user_id when the exchange returns no username', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    bff.service.faults.next('token', without('username'));
    const shown = await browser.begin();
    const proven = { user_id: ada.user_id, username: ada.user_id };
    assert.deepEqual(expectProblem(await browser.validateShown(shown), 'user-changed').user, proven);
    expectStatus(await browser.validateShown({ ...shown, username: ada.user_id }), 200);
    assert.deepEqual((await browser.session()).user, proven);
    assert.equal(exchangesOf(bff), 1);
  });

  it('does not exist if the exchange returns another user_id', async () => {
    const { bff, accepted } = await startCounting();
    await using _ = bff;
    const browser = bff.browser();
    const shown = await browser.begin({ ...browser.issueReturn(), user_id: '31018', username: 'Jörg Ünterwald' });
    for (const username of [shown.username, ada.username]) {
      expectProblem(await browser.validateShown({ ...shown, username }), 'user-mismatch');
    }
    assert.deepEqual(await browser.session(), anonymous);
    assert.deepEqual([accepted, await profilesOf(bff), exchangesOf(bff)], [[], [], 1]);
  });

  it('does not exist if the exchange returns no user', async () => {
    const { bff, accepted } = await startCounting();
    await using _ = bff;
    const browser = bff.browser();
    bff.service.faults.next('token', without('user_id', 'username'));
    const shown = await browser.begin();
    for (let i = 0; i < 2; i += 1) expectProblem(await browser.validateShown(shown), 'bad-service-response');
    assert.deepEqual(await browser.session(), anonymous);
    assert.deepEqual([accepted, await profilesOf(bff), exchangesOf(bff)], [[], [], 1]);
  });

  it('is the claimed one, marked as unproven, when requireProvenUser is off', async () => {
    const { bff, accepted } = await startCounting({ requireProvenUser: false });
    await using _ = bff;
    const browser = bff.browser();
    bff.service.faults.next('token', without('user_id', 'username'));
    await browser.signIn();
    assert.deepEqual((await browser.session()).user, ada);
    assert.deepEqual(accepted, [{ ...ada, proven: false }]);
    assert.partialDeepStrictEqual((await profilesOf(bff))[0], { ...ada, proven: false });
  });

  it('is proven with requireProvenUser off when the exchange returns one', async () => {
    const { bff, accepted } = await startCounting({ requireProvenUser: false });
    await using _ = bff;
    await bff.browser().signIn();
    assert.deepEqual(accepted, [ada]);
    assert.equal((await profilesOf(bff))[0]?.proven, undefined);
  });

  it('is not another one with requireProvenUser off: a returned user_id is compared', async () => {
    await using bff = await startBff({ requireProvenUser: false });
    const browser = bff.browser();
    const shown = await browser.begin({ ...browser.issueReturn(), user_id: '31018' });
    expectProblem(await browser.validateShown(shown), 'user-mismatch');
  });
});

describe('a repeated validation', () => {
  it('gets the same response, session cookie included, without a second exchange or hook', async () => {
    const { bff, accepted } = await startCounting();
    await using _ = bff;
    const browser = bff.browser();
    const shown = await browser.begin();
    const [first, second] = [await browser.validateShown(shown), await browser.validateShown(shown)];
    expectStatus(second, 200);
    assert.deepEqual(second.body, first.body);
    assert.deepEqual(pairsOf(second), pairsOf(first));
    assert.equal((await browser.session()).state, 'signed-in');
    assert.deepEqual([accepted.length, exchangesOf(bff)], [1, 1]);
  });

  it('under another username than the accepted one is user-changed and sets no cookie', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const shown = await browser.begin();
    const accepted = await browser.validateShown(shown);
    const other = await browser.validateShown({ ...shown, username: 'jane (that is you)' });
    assert.deepEqual(expectProblem(other, 'user-changed').user, ada);
    assert.deepEqual(setCookies(other), []);
    assert.deepEqual((await browser.validateShown(shown)).body, accepted.body);
  });

  it('gets the same rejection, whatever it answers now', async () => {
    const age = { name: 'age', type: 'number', label: 'Your age', min: 18, onFail: 'reject' } as const;
    await using bff = await startBff({ validation: { fields: [age] } });
    const browser = bff.browser();
    const shown = await browser.begin();
    const first = await browser.validateShown(shown, { age: 17 });
    for (const answers of [{ age: 17 }, { age: 18 }]) {
      const again = await browser.validateShown(shown, answers);
      expectStatus(again, 200);
      assert.deepEqual(again.body, first.body);
      assert.deepEqual(setCookies(again), []);
    }
    assert.equal((await browser.session()).state, 'anonymous');
    assert.equal(exchangesOf(bff), 1);
  });

  it('never changes a finished sign-in: cancelled stays cancelled, accepted stays accepted', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const cancelled = await browser.begin();
    const first = await browser.cancelShown(cancelled);
    expectProblem(await browser.validateShown(cancelled), 'no-sync-in-progress');
    assert.deepEqual((await browser.cancelShown(cancelled)).body, first.body);
    assert.deepEqual(await browser.session(), anonymous);

    const accepted = await browser.begin(browser.issueReturn());
    expectStatus(await browser.validateShown(accepted), 200);
    expectProblem(await browser.cancelShown(accepted), 'no-sync-in-progress');
    assert.equal((await browser.session()).state, 'signed-in');
    assert.equal(exchangesOf(bff), 2);
  });

  it('from another browser is no-sync-in-progress', async () => {
    await using bff = await startBff();
    const [browser, other] = [bff.browser(), bff.browser()];
    const shown = await browser.begin();
    await other.begin();
    expectProblem(await other.validateShown(shown), 'no-sync-in-progress');
    expectProblem(await other.cancelShown(shown), 'no-sync-in-progress');
    await browser.validateShown(shown);
    expectProblem(await other.validateShown(shown), 'no-sync-in-progress');
    assert.equal(exchangesOf(bff), 1);
  });

  it('of the request that was lost while the exchange went on gets its outcome', async () => {
    const { bff, accepted } = await startCounting();
    await using _ = bff;
    const browser = bff.browser();
    const shown = await browser.begin();
    bff.service.faults.next('token', { kind: 'delay', delayMs: 300 });
    const received = bff.service.whenReceived('token');
    const abandoned = browser.validateShown(shown).timeout(100).then(() => assert.fail('responded'), () => undefined);
    await Promise.race([received, abandoned]);
    await abandoned;
    const res = await browser.validateShown(shown);
    expectStatus(res, 200);
    assert.equal((res.body as SyncOutcome).outcome, 'accepted');
    assert.deepEqual([accepted.length, exchangesOf(bff)], [1, 1]);
  });
});

describe('concurrent validations', () => {
  it('of one sign-in get the same response from one exchange', async () => {
    const { bff, accepted } = await startCounting();
    await using _ = bff;
    const browser = bff.browser();
    const shown = await browser.begin();
    bff.service.faults.next('token', { kind: 'delay', delayMs: 300 });
    const responses = await Promise.all(Array.from({ length: 5 }, () => browser.validateShown(shown)));
    for (const res of responses) {
      expectStatus(res, 200);
      assert.deepEqual(res.body, responses[0]?.body);
      assert.deepEqual(pairsOf(res), pairsOf(responses[0] ?? assert.fail()));
    }
    assert.deepEqual([accepted.length, exchangesOf(bff)], [1, 1]);
  });

  it('wait for a cancellation and then find nothing in progress', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const shown = await browser.begin();
    bff.service.faults.next('token', { kind: 'delay', delayMs: 300 });
    const received = bff.service.whenReceived('token');
    const cancelled = browser.cancelShown(shown).then((res) => res);
    await Promise.race([received, cancelled]);
    expectProblem(await browser.validateShown(shown), 'no-sync-in-progress');
    assert.equal((await cancelled).body.outcome, 'cancelled');
    assert.equal(exchangesOf(bff), 1);
  });
});

describe('the exchange of a sign-in', () => {
  it('that certainly did not happen leaves the sign-in as it was', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const shown = await browser.begin();
    await bff.service.down();
    const res = await browser.validateShown(shown);
    assert.equal(expectProblem(res, 'service-unavailable').retryable, true);
    assert.ok(Number(res.headers['retry-after']) >= 1);
    assert.equal((await browser.session()).sync?.id, shown.sync);
    await bff.service.up();
    expectStatus(await browser.validateShown(shown), 200);
  });

  for (const [type, fault] of [
    ['outcome-unknown', { kind: 'reset-after-commit' }],
    ['outcome-unknown', { kind: 'hang' }],
    ['service-refused', { kind: 'status', status: 400, body: { error: 'invalid_grant' } }],
  ] as const satisfies readonly (readonly [string, Fault])[]) {
    it(`that ends as ${type} (${fault.kind}) ends the sign-in for good`, async () => {
      const { bff, accepted } = await startCounting(fault.kind === 'hang' ? { serviceTimeoutMs: 300 } : {});
      await using _ = bff;
      const browser = bff.browser();
      const shown = await browser.begin();
      bff.service.faults.next('token', fault);
      for (let i = 0; i < 2; i += 1) assert.equal(expectProblem(await browser.validateShown(shown), type).retryable, false);
      expectProblem(await browser.cancelShown(shown), type);
      assert.deepEqual(await browser.session(), anonymous);
      assert.deepEqual([accepted, exchangesOf(bff)], [[], 1]);
    });
  }
});

describe('a sign-in that is interrupted', () => {
  const notSignedIn = async (bff: Bff, browser: ReturnType<Bff['browser']>, cookies: string) => {
    assert.deepEqual(await browser.session(), anonymous);
    assert.equal((await bff.browser().get('/session').set('Cookie', cookies)).body.state, 'anonymous');
    assert.deepEqual(await profilesOf(bff), []);
  };

  it('by a sign-out during the exchange creates no session', async () => {
    const { bff, accepted } = await startCounting();
    await using _ = bff;
    const browser = bff.browser();
    const shown = await browser.begin();
    const cookies = browser.cookies();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    bff.service.faults.next('token', { kind: 'held', until: held });
    const received = bff.service.whenReceived('token');
    const validated = browser.validateShown(shown).then((res) => res);
    await Promise.race([received, validated]);
    expectStatus(await browser.delete('/session'), 204);
    release();
    const res = await validated;
    expectProblem(res, 'no-sync-in-progress');
    assert.deepEqual(setCookies(res), []);
    await notSignedIn(bff, browser, cookies);
    assert.deepEqual(accepted, []);
  });

  it('by a sign-out during onAccepted creates no session', async () => {
    const { bff, entered, release } = await startCounting({ isBlocking: true, profiles: 'discard' });
    await using _ = bff;
    const browser = bff.browser();
    const shown = await browser.begin();
    const cookies = browser.cookies();
    const validated = browser.validateShown(shown).then((res) => res);
    await Promise.race([entered, validated]);
    expectStatus(await browser.delete('/session'), 204);
    release();
    const res = await validated;
    expectProblem(res, 'no-sync-in-progress');
    assert.deepEqual(setCookies(res), []);
    await notSignedIn(bff, browser, cookies);
  });

  it('by a newer sign-in during the exchange leaves the newer one', async () => {
    const { bff, accepted } = await startCounting();
    await using _ = bff;
    const browser = bff.browser();
    const shown = await browser.begin();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    bff.service.faults.next('token', { kind: 'held', until: held });
    const received = bff.service.whenReceived('token');
    const validated = browser.validateShown(shown).then((res) => res);
    await Promise.race([received, validated]);
    const newer = await browser.begin(browser.issueReturn(bff.service.readers[1]));
    release();
    expectProblem(await validated, 'no-sync-in-progress');
    assert.deepEqual(accepted, []);
    expectStatus(await browser.validateShown(newer), 200);
    assert.equal((await browser.session()).user?.username, 'Jörg Ünterwald');
  });

  it('by a bound return during the exchange leaves the newer one, although the return brings no Strict cookie', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.authorize('forum=news');
    const attempt = `vestibule-attempt-${/vestibule-attempt-([\w-]{8})/.exec(browser.cookies())?.[1] ?? ''}`;
    const shown = await browser.begin();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    bff.service.faults.next('token', { kind: 'held', until: held });
    const received = bff.service.whenReceived('token');
    const validated = browser.validateShown(shown).then((res) => res);
    await Promise.race([received, validated]);
    const query = new URLSearchParams({ ...browser.issueReturn(bff.service.readers[1]) });
    const returned = await bff.browser().get(`/sync/return?${query}`).set('Cookie', `${attempt}=${browser.cookie(attempt)}`);
    expectStatus(returned, 303);
    release();
    expectProblem(await validated, 'no-sync-in-progress');
  });

  it('by a newer sign-in that is accepted first signs the earlier user out', async () => {
    const { bff, entered, release } = await startCounting({ isBlocking: true });
    await using _ = bff;
    const browser = bff.browser();
    const [earlier, newer] = [await browser.begin(), await browser.begin(browser.issueReturn(bff.service.readers[1]))];
    const validated = browser.validateShown(earlier).then((res) => res);
    await Promise.race([entered, validated]);
    expectStatus(await browser.validateShown(newer), 200);
    release();
    expectProblem(await validated, 'no-sync-in-progress');
    assert.equal((await browser.session()).user?.username, 'Jörg Ünterwald');
  });

  it('by a newer one that is accepted later signs the earlier user out, whichever response arrives last', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const [earlier, newer] = [await browser.begin(), await browser.begin(browser.issueReturn(bff.service.readers[1]))];
    const cookies = browser.cookies();
    const [first, second] = [
      await bff.browser().validateShown(earlier).set('Cookie', cookies), await bff.browser().validateShown(newer).set('Cookie', cookies),
    ];
    const stateOf = async (res: typeof first) => (await bff.browser().get('/session').set('Cookie', pairsOf(res).join('; '))).body.state as string;
    assert.deepEqual([await stateOf(first), await stateOf(second)], ['anonymous', 'signed-in']);
  });

  it('by a newer one does not come back with a repeated request', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const earlier = await browser.begin();
    const first = await browser.validateShown(earlier);
    await browser.signIn(bff.service.readers[1]);
    const repeated = await browser.validateShown(earlier);
    expectStatus(repeated, 200);
    assert.deepEqual([repeated.body, setCookies(repeated)], [first.body, []]);
    assert.equal((await browser.session()).user?.username, 'Jörg Ünterwald');
  });

  it('by nothing survives a newer sign-in that only waits', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const [earlier, newer] = [await browser.begin(), await browser.begin(browser.issueReturn(bff.service.readers[1]))];
    expectStatus(await browser.validateShown(earlier), 200);
    const { state, user, sync } = await browser.session();
    assert.deepEqual([state, user?.username, sync?.id], ['signed-in', 'Ada Quill', newer.sync]);
  });

  it('by its expiry is no-sync-in-progress, its code unspent', async () => {
    await using bff = await startBff({ syncSeconds: 60 });
    const browser = bff.browser();
    const shown = await browser.begin();
    bff.passTime(61);
    expectProblem(await browser.validateShown(shown), 'no-sync-in-progress');
    assert.equal(exchangesOf(bff), 0);
  });
});

describe('a sign-in on a store that fails', { concurrency: 8 }, () => {
  interface Row {
    /** Prefix of the keys. */
    readonly key: string;
    /** Number of calls on these keys that succeed before. */
    readonly after: number;
    readonly operation: 'set' | 'setIfAbsent' | 'compareAndSet';
    readonly what: string;
    /** Outcome of the repeated request after four failures in a row. */
    readonly ends: 'accepted' | 'outcome-unknown';
    /** The same after four lost replies. Default: accepted. */
    readonly endsApplied?: 'outcome-unknown';
  }

  const rows: readonly Row[] = [
    { what: 'the lease', key: 'lease:', operation: 'setIfAbsent', after: 0, ends: 'accepted' },
    { what: 'the move to exchanging', key: 'sync:', operation: 'compareAndSet', after: 0, ends: 'accepted' },
    // Each attempt is applied: the code counts as sent, although this process never sent it.
    { what: 'the spending of the code', key: 'code:', operation: 'compareAndSet', after: 0, ends: 'accepted', endsApplied: 'outcome-unknown' },
    { what: 'the grant', key: 'sync:', operation: 'compareAndSet', after: 1, ends: 'outcome-unknown' },
    { what: 'the profile', key: 'profile:', operation: 'set', after: 0, ends: 'accepted' },
    { what: 'the session', key: 'session:', operation: 'set', after: 0, ends: 'accepted' },
    { what: 'the outcome', key: 'sync:', operation: 'compareAndSet', after: 2, ends: 'accepted' },
  ];

  async function startFailing() {
    const storeInstance = new FailingStore();
    const { bff, accepted } = await startCounting({ storeInstance });
    const browser = bff.browser();
    const shown = await browser.begin();
    return { store: storeInstance, bff, accepted, browser, shown };
  }

  /** Repeats the request while the response allows it. */
  async function settle(browser: ReturnType<Bff['browser']>, shown: Shown): Promise<string> {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const res = await browser.validateShown(shown);
      const { outcome, retryable, type } = res.body as Partial<SyncOutcome> & { retryable?: boolean; type?: string };
      if (retryable !== true) return outcome ?? type?.replace('urn:vestibule:', '') ?? '';
    }
    return 'never settled';
  }

  for (const { what, ends, endsApplied = 'accepted', ...call } of rows) {
    for (const applied of [false, true]) {
      const manner = applied ? 'is applied and its reply lost' : 'fails';

      it(`is accepted when ${what} ${manner} once`, async () => {
        const { store, bff, browser, shown } = await startFailing();
        await using _ = bff;
        store.fail({ ...call, applied });
        assert.equal(await settle(browser, shown), 'accepted');
        assert.equal(store.failed, 1);
        assert.deepEqual([(await browser.session()).user, exchangesOf(bff)], [ada, 1]);
      });

      const outcome = applied ? endsApplied : ends;
      it(`ends as ${outcome} when ${what} ${manner} until the request gives up`, async () => {
        const { store, bff, browser, shown } = await startFailing();
        await using _ = bff;
        store.fail({ ...call, applied, times: 4 });
        await settle(browser, shown);
        assert.ok(store.failed > 0);
        store.recover();
        assert.equal(await settle(browser, shown), outcome);
        assert.equal(exchangesOf(bff), outcome === endsApplied && outcome !== 'accepted' ? 0 : 1);
        assert.equal((await browser.session()).state, outcome === 'accepted' ? 'signed-in' : 'anonymous');
      });
    }
  }

  it('starts once for a repeated POST /sync when the reply to the claim of its code was lost', async () => {
    const store = new FailingStore();
    await using bff = await startBff({ storeInstance: store });
    const browser = bff.browser();
    const syncReturn = browser.issueReturn();
    store.fail({ operation: 'setIfAbsent', key: 'code:', applied: true });
    const first = await browser.start(syncReturn);
    expectStatus(first, 201);
    assert.equal((await browser.start(syncReturn)).body.sync.id, (first.body as SessionView).sync?.id);
  });

  it('can be started again when the store fails before the claim of its code', async () => {
    const store = new FailingStore();
    await using bff = await startBff({ storeInstance: store });
    const browser = bff.browser();
    const syncReturn = browser.issueReturn();
    store.fail({ operation: 'set', key: 'sync:', applied: true, times: 4 });
    assert.equal(expectProblem(await browser.start(syncReturn), 'service-unavailable').retryable, true);
    store.recover();
    expectStatus(await browser.start(syncReturn), 201);
  });

  it('that the store lost right after its start is no-sync-in-progress', async () => {
    const store = new FailingStore();
    await using bff = await startBff({ storeInstance: store });
    const set = store.set.bind(store);
    store.set = async (key, ...rest) => { if (!key.startsWith('sync:')) await set(key, ...rest); };
    const browser = bff.browser();
    expectProblem(await browser.start(browser.issueReturn()), 'no-sync-in-progress');
    assert.equal(browser.cookies(), '');
  });

  it('can be ended by a repeated sign-out', async () => {
    for (const applied of [false, true]) {
      const store = new FailingStore();
      await using bff = await startBff({ storeInstance: store });
      const browser = bff.browser();
      await browser.signIn();
      const shown = await browser.begin(browser.issueReturn());
      const cookies = browser.cookies();
      store.fail({ key: 'session:', operation: 'delete', applied });
      expectProblem(await browser.delete('/session'), 'service-unavailable');
      expectStatus(await browser.delete('/session'), 204);
      assert.equal((await bff.browser().get('/session').set('Cookie', cookies)).body.state, 'anonymous');
      expectProblem(await bff.browser().validateShown(shown).set('Cookie', cookies), 'no-sync-in-progress');
    }
  });
});
