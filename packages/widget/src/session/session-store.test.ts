import { expect } from '@open-wc/testing';
import type { ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { TestBff } from '../_bff.ts';
import { until } from '../_until.ts';
import { SessionStore } from './session-store.ts';

const limits = { message_max_length: 100 };

/** Waits for a window. */
const box = {};

describe('SessionStore', () => {
  let bff: TestBff;
  let store: SessionStore;
  let states: (string | undefined)[];
  let leave: () => void;

  beforeEach(() => {
    bff = new TestBff();
    store = new SessionStore(new URL(bff.url));
    states = [];
  });

  afterEach(() => leave());

  function join(): void {
    let { view, failure } = store;
    leave = store.subscribe(() => {
      if (store.view === view && store.failure === failure) return;
      ({ view, failure } = store);
      states.push(failure?.type ?? store.state);
    });
    store.start();
  }

  it('requests the session when it is started, and reports each response', async () => {
    join();
    await store.refresh();
    expect(states).to.deep.equal(['anonymous']);
  });

  it('forgets a signed-in view until the next response, also after a failure, and keeps any other view', async () => {
    await bff.signIn({ user_id: '42', username: 'Ada' });
    join();
    await store.refresh();
    await bff.set({ answers: { 'GET /session': [{ problem: 'not-found' }] } });
    await store.invalidate();
    expect(store.view).to.equal(undefined);
    await store.invalidate();
    await bff.setSession({});
    await store.invalidate();
    await store.invalidate();
    expect(states).to.deep.equal(['signed-in', undefined, 'not-found', 'signed-in', undefined, 'anonymous', 'anonymous']);
  });

  it('requests the session again if a listener asks for it while a response is taken', async () => {
    join();
    const stop = store.subscribe(() => {
      if (states.length > 0) stop();
      if (states.length === 1) queueMicrotask(() => void store.refresh());
    });
    await store.refresh();
    expect(states).to.deep.equal(['anonymous', 'anonymous']);
  });

  it('drops a response in flight at the end of a session that it does not know', async () => {
    await bff.set({ answers: { 'GET /session': [{ hold: 'old', json: { state: 'signed-in', limits } }] } });
    store.markEnded();
    expect(store.isFetching, 'nothing to drop').to.equal(false);
    join();
    store.markEnded();
    await bff.release('old');
    await until(async () => (await bff.requests('GET /session')).length === 2 && !store.isFetching, 'the response');
    expect(states).to.deep.equal(['anonymous']);
  });

  it('drops a response in flight after a newer view was adopted', async () => {
    await bff.set({ answers: { 'GET /session': [{ hold: 'old', json: { state: 'signed-in', limits } }] } });
    join();
    store.adopt({ state: 'anonymous', limits });
    await bff.release('old');
    await until(async () => (await bff.requests('GET /session')).length === 2 && states.length === 2, 'both responses');
    expect(states).to.deep.equal(['anonymous', 'anonymous']);
  });

  it('keeps a notice with its reference from a response that was overtaken: the BFF delivers both once', async () => {
    const delivered = { notice: 'declined', instance: 'urn:vestibule:request:7f0c2a4e-0000-4000-8000-000000000000' } as const;
    await bff.set({ answers: { 'GET /session': [{ hold: 'first', json: { state: 'anonymous', ...delivered, limits } }] } });
    join();
    const asked = store.refresh();
    await bff.release('first');
    await asked;
    expect(await bff.requests('GET /session')).to.have.length(2);
    expect(store.view).to.deep.include(delivered);
  });

  it('drops a failure in flight that a later call has overtaken', async () => {
    await bff.set({ answers: { 'GET /session': [{ hold: 'first', problem: 'not-found' }] } });
    join();
    const asked = store.refresh();
    await bff.release('first');
    await asked;
    expect(states).to.deep.equal(['anonymous']);
  });

  it('resolves each refresh with a response to a later request', async () => {
    await bff.set({ answers: { 'GET /session': [{ hold: 'first', json: { state: 'anonymous', limits } }] } });
    join();
    await bff.signIn();
    const asked = store.refresh();
    await bff.release('first');
    await asked;
    expect(store.state).to.equal('signed-in');
    expect(states).to.deep.equal(['signed-in']);
  });

  it('keeps the last view through a failure, and repeats the request', async () => {
    join();
    await store.refresh();
    await bff.set({ answers: { 'GET /session': [{ problem: 'service-unavailable', headers: { 'Retry-After': '0' } }] } });
    await store.refresh();
    expect([store.state, store.failure?.type]).to.deep.equal(['anonymous', 'service-unavailable']);
    await until(() => store.failure === undefined, 'no failure');
  });

  it('aborts its request with the last subscriber, and starts again for another', async () => {
    await bff.set({ answers: { 'GET /session': [{ hold: 'late' }] } });
    leave = store.subscribe(() => {});
    const asked = store.refresh();
    leave();
    await Promise.resolve();
    await bff.release('late');
    await asked;
    expect(store.view).to.equal(undefined);
    join();
    await until(() => states.length === 1, 'a state');
    expect(states).to.deep.equal(['anonymous']);
  });

  it('requests the session once when a reader comes back: the page becomes visible and gets the focus', async () => {
    join();
    await store.refresh();
    await until(() => !store.isFetching, 'the response');
    const before = (await bff.requests('GET /session')).length;
    const { now } = Date;
    Date.now = () => now() + 31_000;
    try {
      document.dispatchEvent(new Event('visibilitychange'));
      window.dispatchEvent(new Event('focus'));
      expect(store.isFetching).to.equal(true);
      await until(() => !store.isFetching, 'the response');
    } finally {
      Date.now = now;
    }
    expect(await bff.requests('GET /session')).to.have.length(before + 1);
  });

  it('is unchanged for a subscriber that leaves and returns at once', async () => {
    join();
    leave();
    join();
    await store.refresh();
    expect(states.at(-1)).to.equal('anonymous');
    leave();
    expect(store.state).to.equal('anonymous');
  });

  it('requests the session again when the browser is online, once it has asked before', async () => {
    leave = store.subscribe(() => {});
    dispatchEvent(new Event('online'));
    await store.refresh();
    expect(await bff.requests('GET /session')).to.have.length(1);
    await bff.signIn();
    dispatchEvent(new Event('online'));
    await until(() => store.state === 'signed-in', 'the session');
    leave();
    await Promise.resolve();
    dispatchEvent(new Event('online'));
    expect(store.isFetching).to.equal(false);
  });

  it('is one for each BFF', () => {
    join();
    const other = new URL(new TestBff().url);
    expect(SessionStore.at(other)).to.equal(SessionStore.at(new URL(other)));
    expect(SessionStore.at(new URL(bff.url))).not.to.equal(SessionStore.at(other));
  });

  it('requests nothing at the start if an answer or a failure is known', async () => {
    await bff.set({ answers: { 'GET /session': [{ problem: 'not-found' }, { problem: 'not-found' }] } });
    join();
    await store.refresh();
    store.start();
    expect([store.failure?.type, store.isFetching]).to.deep.equal(['not-found', false]);
    await store.refresh();
    store.start();
    expect([store.state, store.isFetching]).to.deep.equal(['anonymous', false]);
  });

  it('keeps the notice of an answer that was overtaken in flight', async () => {
    await bff.set({ answers: { 'GET /session': [{ hold: 'first', json: { state: 'anonymous', limits, notice: 'declined' } }] } });
    join();
    const asked = store.refresh();
    await until(async () => (await bff.requests('GET /session')).length === 1, 'the request');
    void store.refresh();
    await bff.release('first');
    await asked;
    expect(store.view).to.deep.equal({ state: 'anonymous', limits: { message_max_length: 10_000 }, notice: 'declined' });
    await store.refresh();
    expect(store.view).not.to.have.property('notice');
  });

  it('notifies when the browser is offline, once also for a later subscriber', async () => {
    store.subscribe(() => {})();
    await Promise.resolve();
    let calls = 0;
    leave = store.subscribe(() => { calls += 1; });
    dispatchEvent(new Event('offline'));
    expect(calls).to.equal(1);
  });

  it('notifies at the start of a request, of its answer, and at its end', async () => {
    const seen: unknown[] = [];
    leave = store.subscribe(() => seen.push([store.isFetching, store.state]));
    await store.refresh();
    expect(seen).to.deep.equal([[true, undefined], [true, 'anonymous'], [false, 'anonymous']]);
  });

  it('requests nothing after a view was adopted with no request in flight', () => {
    leave = store.subscribe(() => {});
    store.adopt({ state: 'anonymous', limits });
    expect([store.state, store.isFetching]).to.deep.equal(['anonymous', false]);
  });

  it('rejects with an error that is no failure of a request', async () => {
    leave = store.subscribe(() => {});
    store.client.getSession = () => Promise.reject(new Error('of the code'));
    expect(await store.refresh().catch((error: Error) => error.message)).to.equal('of the code');
  });

  it('requests the session when the page is restored from the back/forward cache, and not when it is loaded', async () => {
    join();
    await store.refresh();
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }));
    expect(store.isFetching).to.equal(false);
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    expect(store.isFetching).to.equal(true);
  });
});

describe('SessionStore, in time', () => {
  let bff: TestBff;
  let store: SessionStore;
  let leave: () => void;
  let time: number;
  /** Timers of the store, which run by `tick` only. */
  let timers: Map<number, { readonly run: () => void; readonly ms: number | undefined }>;
  const { now } = Date;
  const { random } = Math;
  const { setTimeout, clearTimeout } = window;

  beforeEach(() => {
    bff = new TestBff();
    store = new SessionStore(new URL(bff.url));
    leave = store.subscribe(() => {});
    timers = new Map();
    time = now();
    Date.now = () => time;
    Math.random = () => 0;
    window.setTimeout = ((run: () => void, ms?: number) => {
      const timer = setTimeout(() => {}, ms);
      timers.set(timer, { run, ms });
      return timer;
    }) as typeof window.setTimeout;
    window.clearTimeout = (timer) => {
      timers.delete(timer as number);
      clearTimeout(timer);
    };
  });

  afterEach(() => {
    leave();
    Date.now = now;
    Math.random = random;
    Object.assign(window, { setTimeout, clearTimeout });
    localStorage.clear();
  });

  const waits = (): unknown[] => [...timers.values()].map(({ ms }) => ms);

  /** Goes on to the next timer. Resolves after the request that it causes. */
  async function tick(): Promise<void> {
    const [[timer, { run, ms }]] = [...timers] as [[number, { run: () => void; ms: number }]];
    timers.delete(timer);
    time += ms;
    run();
    await until(() => !store.isFetching, 'the response');
  }

  async function requests(): Promise<number> {
    return (await bff.requests('GET /session')).length;
  }

  it('requests the session every three seconds in the first minute of a watch, then every ten, until ten minutes have passed', async () => {
    await store.refresh();
    store.watch(box);
    expect([store.isWatching, waits()]).to.deep.equal([true, [3000]]);
    await tick();
    expect([await requests(), waits()]).to.deep.equal([2, [3000]]);
    time += 56_999;
    await store.refresh();
    expect(waits()).to.deep.equal([3000]);
    time += 1;
    await store.refresh();
    expect(waits()).to.deep.equal([10_000]);
    time += 536_000;
    await store.refresh();
    expect(waits()).to.deep.equal([4000]);
    const before = await requests();
    await tick();
    expect([store.isWatching, waits(), await requests()]).to.deep.equal([false, [], before]);
  });

  describe('with a notice', () => {
    const { hasFocus } = document;
    let isHere: boolean;

    beforeEach(async () => {
      isHere = false;
      document.hasFocus = () => isHere;
      await store.refresh();
      store.watch(box);
    });

    afterEach(() => { document.hasFocus = hasFocus; });

    /** What each request did, the first left out. */
    async function effects(): Promise<string[]> {
      return (await bff.requests('GET /session')).slice(1).map(({ query }) => (query ? 'leaves it' : 'takes it'));
    }

    async function holdReturn(answer: ScriptedAnswer = {}): Promise<void> {
      await bff.set({ answers: { 'GET /session': [{ hold: 'return', ...answer }] } });
      dispatchEvent(new Event('focus'));
      await until(async () => (await requests()) === 2, 'the request');
    }

    it('leaves it to the window while it watches, but for the reader who comes back', async () => {
      await tick();
      dispatchEvent(new Event('focus'));
      await until(() => !store.isFetching, 'the response');
      await bff.set({ answers: { 'GET /session': [{ hold: 'watch' }] } });
      const ticks = tick();
      dispatchEvent(new Event('focus'));
      await bff.release('watch');
      await ticks;
      expect(await effects()).to.deep.equal(['leaves it', 'takes it', 'leaves it', 'takes it']);
    });

    it('takes it while the reader is on the page, also if the BFF gets it later', async () => {
      isHere = true;
      await tick();
      await bff.setSession({ notice: 'declined' });
      await tick();
      expect([await effects(), store.view?.notice]).to.deep.equal([['takes it', 'takes it'], 'declined']);
    });

    it('takes it with the repetition of a request that failed', async () => {
      await bff.set({ answers: { 'GET /session': [{ problem: 'service-unavailable' }] } });
      dispatchEvent(new Event('focus'));
      await until(() => !store.isFetching, 'the response');
      await tick();
      await tick();
      expect(await effects()).to.deep.equal(['takes it', 'takes it', 'leaves it']);
    });

    it('leaves it with the repetition of a request of the watch', async () => {
      await bff.set({ answers: { 'GET /session': [{ problem: 'service-unavailable' }] } });
      await tick();
      await tick();
      expect(await effects()).to.deep.equal(['leaves it', 'leaves it']);
    });

    it('takes it with a call that waits while the time of the watch comes', async () => {
      await holdReturn();
      const called = store.refresh();
      const ticks = tick();
      await bff.release('return');
      await Promise.all([called, ticks]);
      expect(await effects()).to.deep.equal(['takes it', 'takes it']);
    });

    it('takes it after a request in flight that fails when the time of the watch has come', async () => {
      await holdReturn({ problem: 'service-unavailable' });
      const ticks = tick();
      await bff.release('return');
      await ticks;
      expect(await effects()).to.deep.equal(['takes it', 'takes it']);
    });
  });

  it('notifies at the end of a watch', async () => {
    store.watch(box);
    time += 590_000;
    await tick();
    const seen: boolean[] = [];
    const end = store.subscribe(() => seen.push(store.isWatching));
    await tick();
    end();
    expect(seen).to.deep.equal([false]);
  });

  it('goes on while another box waits, unless its wait is over', () => {
    const other = {};
    store.watch(box);
    store.watch(other);
    store.endWatch(other);
    expect(store.isWatching).to.equal(true);
    store.watch(other);
    store.endWatch(box);
    store.endWatch(box);
    expect(store.isWatching).to.equal(true);
    store.endWatch(other);
    expect(store.isWatching).to.equal(false);
    store.watch(other);
    time += 11 * 60_000;
    store.watch(box);
    store.endWatch(box);
    expect(store.isWatching).to.equal(false);
  });

  it('requests nothing after endWatch', () => {
    store.watch(box);
    store.endWatch(box);
    expect([store.isWatching, waits()]).to.deep.equal([false, []]);
  });

  it('ends a watch with the sign-in, and not with the one that is offered', async () => {
    store.watch(box);
    await bff.offer({ fields: [] }, { state: 'signed-in', user: { user_id: '7', username: 'Grace' } });
    await store.refresh();
    expect(store.isWatching).to.equal(true);
    await bff.signIn();
    await store.refresh();
    expect([store.isWatching, waits()]).to.deep.equal([false, []]);
  });

  it('ends a watch with its last subscriber', async () => {
    store.watch(box);
    leave();
    await Promise.resolve();
    expect([store.isWatching, waits()]).to.deep.equal([false, []]);
  });

  it('has no timer without a subscriber', async () => {
    leave();
    await Promise.resolve();
    store.watch(box);
    expect(waits()).to.deep.equal([]);
  });

  it('requests nothing after its last subscriber has left', async () => {
    await store.refresh();
    leave();
    await Promise.resolve();
    time += 31_000;
    for (const event of [new Event('online'), new Event('focus'), new PageTransitionEvent('pageshow', { persisted: true })]) dispatchEvent(event);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(store.isFetching).to.equal(false);
  });

  it('waits longer with each failure, at least as long as the BFF asks, and starts again after an answer', async () => {
    const problem = 'service-unavailable';
    await bff.set({ answers: { 'GET /session': [{ problem, headers: { 'Retry-After': '7' } }, { problem }, { problem }] } });
    await store.refresh();
    expect([store.isRetrying, waits()]).to.deep.equal([true, [7000]]);
    await tick();
    expect(waits()).to.deep.equal([2000]);
    await tick();
    expect(waits()).to.deep.equal([4000]);
    await tick();
    expect([store.state, store.isRetrying, waits()]).to.deep.equal(['anonymous', false, []]);
    await bff.set({ answers: { 'GET /session': [{ problem }, { problem }] } });
    await store.refresh();
    await store.refresh();
    expect(waits()).to.deep.equal([2000]);
  });

  it('does not repeat a request that fails for good', async () => {
    await bff.set({ answers: { 'GET /session': [{ problem: 'not-found' }] } });
    await store.refresh();
    expect([store.failure?.type, store.isRetrying, waits()]).to.deep.equal(['not-found', false, []]);
  });

  it('requests the session for a reader who comes back after more than 30 seconds', async () => {
    await store.refresh();
    time += 30_000;
    dispatchEvent(new Event('focus'));
    expect(store.isFetching).to.equal(false);
    time += 1;
    document.dispatchEvent(new Event('visibilitychange'));
    expect(store.isFetching).to.equal(true);
  });

  it('notifies when the browser goes offline or online, also before the first request', () => {
    const seen: string[] = [];
    const end = store.subscribe(() => seen.push('notified'));
    for (const type of ['offline', 'online']) {
      dispatchEvent(new Event(type));
      seen.push(type);
    }
    end();
    expect(seen).to.deep.equal(['notified', 'offline', 'notified', 'online']);
  });

  it('requests nothing for a page in the background, or before the first request', async () => {
    time += 31_000;
    dispatchEvent(new Event('focus'));
    expect(store.isFetching).to.equal(false);
    await store.refresh();
    time += 31_000;
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
    try {
      document.dispatchEvent(new Event('visibilitychange'));
      expect(store.isFetching).to.equal(false);
    } finally {
      Reflect.deleteProperty(document, 'visibilityState');
    }
  });

  it('requests the session at once for a reader who comes back during a watch or after a failure', async () => {
    await store.refresh();
    store.watch(box);
    dispatchEvent(new Event('focus'));
    expect(store.isFetching).to.equal(true);
    await until(() => !store.isFetching, 'the response');
    store.endWatch(box);
    await bff.set({ answers: { 'GET /session': [{ problem: 'not-found' }] } });
    await store.refresh();
    dispatchEvent(new Event('focus'));
    expect(store.isFetching).to.equal(true);
  });

  it('requests the session for a later subscriber if the answer is old', async () => {
    await store.refresh();
    for (const [age, isFetching] of [[30_000, false], [1, true]] as const) {
      leave();
      await Promise.resolve();
      time += age;
      leave = store.subscribe(() => {});
      expect(store.isFetching).to.equal(isFetching);
    }
  });

  it('has the session hint of the account while it is signed in or watches', async () => {
    const hint = (): unknown => JSON.parse(localStorage.getItem(`vestibule:session ${bff.url}`) ?? 'null');
    await bff.signIn();
    await store.refresh();
    expect(hint()).to.deep.equal({ account: '42', since: time });
    await bff.set({ answers: { 'GET /session': [{ problem: 'not-found' }] } });
    await store.refresh();
    expect(hint()).to.deep.equal({ account: '42', since: time });
    localStorage.clear();
    await bff.set({ answers: { 'GET /session': [{ problem: 'not-found' }] } });
    await store.refresh();
    expect(hint()).to.equal(null);
    await bff.signIn();
    await store.refresh();
    await bff.setSession({});
    await store.refresh();
    expect(hint()).to.equal(null);
    await bff.setSession({ state: 'signed-in' });
    await store.refresh();
    expect(hint()).to.deep.equal({ since: time });
    await bff.setSession({});
    store.watch(box);
    await store.refresh();
    expect(hint()).to.deep.equal({ since: time });
    store.endWatch(box);
    await store.refresh();
    expect(hint()).to.equal(null);
  });
});
