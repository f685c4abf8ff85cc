import { expect, waitUntil } from '@open-wc/testing';
import { TestBff } from '../_bff.ts';
import { SessionStore } from './session-store.ts';

const limits = { message_max_length: 100 };

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

  it('drops a response in flight after a newer view was adopted', async () => {
    await bff.set({ answers: { 'GET /session': [{ hold: 'old', json: { state: 'signed-in', limits } }] } });
    join();
    store.adopt({ state: 'anonymous', limits });
    await bff.release('old');
    await waitUntil(async () => (await bff.requests('GET /session')).length === 2 && states.length === 2);
    expect(states).to.deep.equal(['anonymous', 'anonymous']);
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
    await waitUntil(() => store.failure === undefined);
  });

  it('aborts its request with the last subscriber, and starts again for another', async () => {
    await bff.set({ answers: { 'GET /session': [{ hold: 'late' }] } });
    join();
    leave();
    await Promise.resolve();
    await bff.release('late');
    expect(states).to.deep.equal([]);
    join();
    await waitUntil(() => states.length === 1);
    expect(states).to.deep.equal(['anonymous']);
  });

  it('requests the session once when a reader comes back: the page becomes visible and gets the focus', async () => {
    join();
    await store.refresh();
    await waitUntil(() => !store.isFetching);
    const before = (await bff.requests('GET /session')).length;
    const { now } = Date;
    Date.now = () => now() + 31_000;
    try {
      document.dispatchEvent(new Event('visibilitychange'));
      window.dispatchEvent(new Event('focus'));
      expect(store.isFetching).to.equal(true);
      await waitUntil(() => !store.isFetching);
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
    await waitUntil(() => store.state === 'signed-in');
    leave();
    await Promise.resolve();
    dispatchEvent(new Event('online'));
    expect(store.isFetching).to.equal(false);
  });

  it('asks every three seconds during a watch, and no more after endWatch', async () => {
    join();
    await store.refresh();
    const { setTimeout, clearTimeout } = window;
    const waits = new Map<unknown, number>();
    window.setTimeout = ((handler: () => void, ms: number) => {
      const timer = setTimeout(handler, ms);
      waits.set(timer, ms);
      return timer;
    }) as typeof window.setTimeout;
    window.clearTimeout = (timer) => {
      waits.delete(timer);
      clearTimeout(timer);
    };
    try {
      store.watch();
      expect([store.isWatching, [...waits.values()]]).to.deep.equal([true, [3000]]);
      store.endWatch();
      expect([store.isWatching, [...waits.values()]]).to.deep.equal([false, []]);
    } finally {
      Object.assign(window, { setTimeout, clearTimeout });
    }
  });
});
