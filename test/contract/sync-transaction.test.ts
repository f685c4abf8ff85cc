/** The sign-in transaction over HTTP (contract, section 3): repeated, concurrent and interrupted requests. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AcceptedContext, PrepareContext, Profile } from '@vestibule/bff';
import type { Problem, SyncOutcome } from '@vestibule/shared';
import type { Fault } from '../service/index.ts';
import { startBff, type Bff, type BffSettings } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';
import { exchangesOf, expectProblem, expectStatus, setCookies, type ReaderClient } from '../lib/reader.ts';

const ada = { user_id: '31007', username: 'Ada Quill' };
const anonymous = { state: 'anonymous', limits: { message_max_length: 10_000 } };
const KEY = 'idempotency-key-1';

const pairsOf = (res: Parameters<typeof setCookies>[0]) => setCookies(res).map((line) => line.split(';', 1)[0]);

/** The response of the token endpoint without the named members. */
const without = (...names: string[]): Fault => ({
  kind: 'rewrite',
  change: (grant: object) => Object.fromEntries(Object.entries(grant).filter(([name]) => !names.includes(name))),
});

/** The service answers the next exchange after `release`. */
function holdExchange({ service }: Bff) {
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  service.faults.next('token', { kind: 'held', until });
  return { received: service.whenReceived('token'), release };
}

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

  it('gets the same sign-in after the store lost a reply, at each of its operations', async () => {
    for (let n = 1, hasFailed = true; hasFailed; n += 1) {
      const store = new FailingStore();
      await using bff = await startBff({}, { store });
      const browser = bff.browser();
      const syncReturn = browser.issueReturn();
      store.failAt(n, { applied: true });
      const first = await browser.start(syncReturn);
      ({ hasFailed } = store);
      store.recover();
      if (!first.ok) assert.equal((first.body as Problem).retryable, true, first.text);
      if (hasFailed) expectStatus(await browser.start(syncReturn), 201);
    }
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
    assert.deepEqual(await browser.user(), ada);
    assert.deepEqual(accepted, [ada]);
    assert.equal((await profilesOf(bff))[0]?.username, ada.username);
    assert.equal(exchangesOf(bff), 1);
  });

  it('is shown by the name that the reader was shown when the exchange returns none; hooks and profiles get the id as name', async () => {
    const seen: unknown[] = [];
    const prepare = ({ user }: PrepareContext) => { seen.push(user); return { ok: true } as const; };
    const onAccepted = ({ user }: AcceptedContext) => { seen.push(user); };
    await using bff = await startBff({ validation: { fields: [], onAccepted }, posts: { prepare } });
    const browser = bff.browser();
    bff.service.faults.next('token', without('username'));
    await browser.authorize('forum=news');
    expectStatus(await browser.receive(browser.issueReturn()), 303);
    const shown = await browser.shown();
    expectStatus(await browser.validateShown(shown), 200);
    expectStatus(await browser.validateShown(shown), 200);
    assert.deepEqual(await browser.user(), ada);
    assert.equal((await browser.session()).user?.proven, undefined);
    const proven = { user_id: ada.user_id, username: ada.user_id };
    expectStatus(await browser.createPost('Hello'), 201);
    const profiles = await Array.fromAsync(bff.vestibule.profiles.all());
    assert.deepEqual([...seen, ...profiles.map(({ user_id, username }) => ({ user_id, username }))], [proven, proven, proven]);
    assert.equal(exchangesOf(bff), 1);
  });

  it('is never shown by a name that a link has brought: without a name in the exchange the reader confirms the id', async () => {
    for (const missing of [['username'], ['username', 'user_id']] as const) {
      await using bff = await startBff();
      const browser = bff.browser();
      bff.service.faults.next('token', without(...missing));
      const planted = await browser.begin({ ...browser.issueReturn(), username: 'Somebody Else' });
      const shown = { user_id: ada.user_id, username: ada.user_id };
      assert.deepEqual(expectProblem(await browser.validateShown(planted), 'user-changed').user, shown);
      expectStatus(await browser.validateShown({ ...planted, username: ada.user_id }), 200);
      assert.deepEqual(await browser.user(), shown);
      assert.equal((await browser.session()).user?.proven, undefined);
      assert.equal(exchangesOf(bff), 1);
    }
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
    const exchange = holdExchange(bff);
    const abandoned = browser.validateShown(shown);
    abandoned.end(() => undefined);
    await exchange.received;
    abandoned.abort();
    const repeated = browser.validateShown(shown).then((res) => res);
    exchange.release();
    const res = await repeated;
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
    const exchange = holdExchange(bff);
    const pending = Promise.all(Array.from({ length: 5 }, () => browser.validateShown(shown)));
    await Promise.race([exchange.received, pending]);
    exchange.release();
    const responses = await pending;
    for (const res of responses) {
      expectStatus(res, 200);
      assert.deepEqual(res.body, responses[0]?.body);
      assert.deepEqual(pairsOf(res), pairsOf(responses[0] ?? assert.fail()));
    }
    assert.deepEqual([accepted.length, exchangesOf(bff)], [1, 1]);
  });

  it('that wait end as service-unavailable after their own time', async (test) => {
    await using bff = await startBff();
    const browser = bff.browser();
    const shown = await browser.begin();
    const { promise: until, resolve: release } = Promise.withResolvers<void>();
    bff.service.faults.next('token', { kind: 'held', until });
    const received = bff.service.whenReceived('token');
    const first = browser.validateShown(shown).then((res) => res);
    await received;
    let ms = performance.now();
    const clock = test.mock.method(performance, 'now', () => (ms += 20_000));
    const second = await browser.validateShown(shown);
    clock.mock.restore();
    assert.equal(expectProblem(second, 'service-unavailable').retryable, true);
    assert.equal(second.headers['retry-after'], '2');
    release();
    expectStatus(await first, 200);
  });

  it('do not wait where the clock was set back: the sign-in is outcome-unknown', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const shown = await browser.begin();
    const exchange = holdExchange(bff);
    const first = browser.validateShown(shown).then((res) => res);
    await exchange.received;
    bff.passTime(-7_200);
    expectProblem(await browser.validateShown(shown), 'outcome-unknown');
    assert.match(String(bff.log.findLast(({ level }) => Number(level) >= 40)?.['reason']), /^the server ended, or lost its store, during/);
    exchange.release();
    expectProblem(await first, 'outcome-unknown');
    assert.deepEqual([await browser.session(), exchangesOf(bff)], [anonymous, 1]);
  });

  it('wait for a cancellation and then find nothing in progress', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const shown = await browser.begin();
    const exchange = holdExchange(bff);
    const cancelled = browser.cancelShown(shown).then((res) => res);
    await Promise.race([exchange.received, cancelled]);
    const validated = browser.validateShown(shown).then((res) => res);
    exchange.release();
    expectProblem(await validated, 'no-sync-in-progress');
    assert.equal((await cancelled).body.outcome, 'cancelled');
    assert.equal(exchangesOf(bff), 1);
  });
});

describe('the exchange of a sign-in', () => {
  for (const [type, fault] of [
    ['outcome-unknown', { kind: 'reset-after-commit' }],
    ['outcome-unknown', { kind: 'hang' }],
    ['service-refused', { kind: 'status', status: 400, body: { error: 'invalid_grant' } }],
  ] as const satisfies readonly (readonly [string, Fault])[]) {
    it(`that ends as ${type} (${fault.kind}) ends the sign-in for good`, async () => {
      const { bff, accepted } = await startCounting(fault.kind === 'hang' ? { serviceTimeoutMs: 1_000 } : {});
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

describe('a sign-in in flight', () => {
  const joerg = { user_id: '31018', username: 'Jörg Ünterwald' };

  for (const point of ['the exchange', 'onAccepted'] as const) {
    /** Starts a sign-in, and ends it by `end` before it has gone past `point`. */
    async function interrupt<T>(end: (browser: ReaderClient) => Promise<T>) {
      await using stack = new AsyncDisposableStack();
      const { bff, accepted, entered, release } = await startCounting({ isBlocking: point === 'onAccepted', profiles: 'discard' });
      stack.use(bff);
      const browser = bff.browser();
      const shown = await browser.begin();
      const cookies = browser.cookies();
      const exchange = point === 'onAccepted' ? { received: entered, release } : holdExchange(bff);
      const pending = browser.validateShown(shown).then((res) => res);
      await Promise.race([exchange.received, pending]);
      const ended = await end(browser);
      exchange.release();
      const validated = await pending;
      expectProblem(validated, 'no-sync-in-progress');
      assert.deepEqual(setCookies(validated), []);
      assert.equal((await bff.browser().get('/session').set('Cookie', cookies)).body.state, 'anonymous');
      const moved = stack.move();
      return { bff, accepted, browser, ended, [Symbol.asyncDispose]: () => moved.disposeAsync() };
    }

    it(`creates no session if the reader signs out during ${point}`, async () => {
      await using run = await interrupt(async (browser) => browser.delete('/session'));
      expectStatus(run.ended, 204);
      assert.deepEqual(await run.browser.session(), anonymous);
      assert.deepEqual(await profilesOf(run.bff), []);
      assert.equal(run.accepted.length, point === 'onAccepted' ? 1 : 0);
    });

    it(`gives way to a newer sign-in that begins during ${point}`, async () => {
      await using run = await interrupt((browser) => browser.begin(browser.issueReturn(joerg)));
      expectStatus(await run.browser.validateShown(run.ended), 200);
      assert.deepEqual(await run.browser.user(), joerg);
    });
  }

  it('gives way to a newer sign-in whose return brings Lax cookies alone', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.authorize('forum=news');
    const shown = await browser.begin();
    const lax = browser.cookies().split('; ').filter((pair) => /^vestibule-(?:attempt|sync=)/.test(pair)).join('; ');
    const exchange = holdExchange(bff);
    const validated = browser.validateShown(shown).then((res) => res);
    await Promise.race([exchange.received, validated]);
    expectStatus(await bff.browser().receive(browser.issueReturn(joerg), { Cookie: lax }), 303);
    exchange.release();
    expectProblem(await validated, 'no-sync-in-progress');
  });
});

describe('a newer sign-in', () => {
  it('is not replaced by a repeated request of an earlier one', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const earlier = await browser.begin();
    expectStatus(await browser.validateShown(earlier), 200);
    await browser.signIn(bff.service.readers[1]);
    assert.deepEqual(setCookies(await browser.validateShown(earlier)), []);
    assert.equal((await browser.session()).user?.username, 'Jörg Ünterwald');
  });

  it('takes the place of one that waits', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    const [earlier, newer] = [await browser.begin(), await browser.begin(browser.issueReturn(bff.service.readers[1]))];
    expectProblem(await browser.validateShown(earlier), 'no-sync-in-progress');
    assert.equal((await browser.session()).sync?.id, newer.sync);
    assert.equal(exchangesOf(bff), 0);
  });
});
