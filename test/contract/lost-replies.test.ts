/** A store that loses a reply, or carries out a write late: what certainly was not done can be done by the identical request
 *  (contract, section 2: `service-unavailable`; section 3). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StoreUnavailableError, type Lifetime, type StoredEntry } from '@vestibule/bff';
import { startBff } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';
import { exchangesOf, expectProblem, expectStatus } from '../lib/reader.ts';
import { until } from '../lib/until.ts';

const KEY = 'idempotency-key-1';

/** Applies the first write after `arm` late: after the read that looks for it. */
class LateStore extends FailingStore {
  #late: 'armed' | (() => Promise<unknown>) | undefined;

  arm(): void {
    this.#late = 'armed';
  }

  override async get(key: string): Promise<StoredEntry | undefined> {
    const found = await super.get(key);
    if (typeof this.#late === 'function') await this.#late();
    if (this.#late !== 'armed') this.#late = undefined;
    return found;
  }

  override setIfAbsent(key: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return this.#delay(() => super.setIfAbsent(key, value, lifetimeMs));
  }

  override compareAndSet(key: string, expected: string, value: string, lifetimeMs: Lifetime): Promise<boolean> {
    return this.#delay(() => super.compareAndSet(key, expected, value, lifetimeMs));
  }

  #delay(write: () => Promise<boolean>): Promise<boolean> {
    if (this.#late !== 'armed') return write();
    this.#late = write;
    return Promise.reject(new StoreUnavailableError(new Error('No reply.')));
  }
}

describe('a post', () => {
  it('whose intent lost its reply, with every reply of the next seconds, is posted by the identical request', async () => {
    const store = new FailingStore();
    await using bff = await startBff({ rateLimits: 'off' }, { store });
    const reader = bff.browser();
    await reader.signIn();
    store.failAt(2, { applied: true, times: Infinity });
    assert.equal(expectProblem(await reader.createPost('Hello', { key: KEY }), 'service-unavailable').retryable, true);
    const { operations } = store;
    await until('an attempt to take it back fails', () => store.operations > operations);
    store.recover();
    await until('the post', async () => (await reader.createPost('Hello', { key: KEY })).status === 201);
    assert.equal(bff.service.posts.length, 1);
  });

  it('that the service did not take, while the store is away, is posted by the identical request', async () => {
    const store = new FailingStore();
    await using bff = await startBff({ rateLimits: 'off' }, { store });
    const reader = bff.browser();
    await reader.signIn();
    bff.service.faults.next('posts', { kind: 'status', status: 429, body: '' });
    store.failAt(3, { applied: false, times: 3 });
    expectProblem(await reader.createPost('Hello', { key: KEY }), 'service-unavailable');
    store.recover();
    await until('the post', async () => (await reader.createPost('Hello', { key: KEY })).status === 201);
  });

  it('whose answer was not stored is not posted again by the identical request, which gets it', async () => {
    const store = new FailingStore();
    await using bff = await startBff({ rateLimits: 'off' }, { store });
    const reader = bff.browser();
    await reader.signIn();
    store.failAt(3, { applied: false, times: 3 });
    expectStatus(await reader.createPost('Hello', { key: KEY }), 201);
    store.recover();
    await until('the replayed answer', async () => (await reader.createPost('Hello', { key: KEY })).headers['idempotency-replayed'] === 'true');
    assert.equal(bff.service.posts.length, 1);
  });

  it('whose intent is written late knows it as its own', async () => {
    const store = new LateStore();
    await using bff = await startBff({ rateLimits: 'off' }, { store });
    const reader = bff.browser();
    await reader.signIn();
    store.arm();
    expectStatus(await reader.createPost('Hello', { key: KEY }), 201);
    assert.equal(bff.service.posts.length, 1);
  });
});

describe('a sign-in', () => {
  it('whose step to the exchange lost its reply, with every reply of the next seconds, is finished by the identical request', async () => {
    const store = new FailingStore();
    await using bff = await startBff({ rateLimits: 'off' }, { store });
    const reader = bff.browser();
    const shown = await reader.begin();
    store.failAt(2, { applied: true, times: Infinity });
    expectProblem(await reader.validateShown(shown), 'service-unavailable');
    const { operations } = store;
    await until('an attempt to take it back fails', () => store.operations > operations);
    store.recover();
    assert.equal(exchangesOf(bff), 0);
    expectStatus(await reader.validateShown(shown), 200);
  });

  it('whose code was not sent, while the store is away, is finished by the identical request', async () => {
    const store = new FailingStore();
    await using bff = await startBff({ rateLimits: 'off' }, { store });
    const reader = bff.browser();
    const shown = await reader.begin();
    bff.service.faults.next('token', { kind: 'status', status: 429, body: '' });
    store.failAt(3, { applied: false, times: 3 });
    expectProblem(await reader.validateShown(shown), 'service-unavailable');
    store.recover();
    expectStatus(await reader.validateShown(shown), 200);
  });

  it('whose step to the exchange is written late knows it as its own', async () => {
    const store = new LateStore();
    await using bff = await startBff({ rateLimits: 'off' }, { store });
    const reader = bff.browser();
    const shown = await reader.begin();
    store.arm();
    expectStatus(await reader.validateShown(shown), 200);
  });

  it('whose store fails after the exchange ends as outcome-unknown; the problem and the log name the store', async () => {
    const store = new FailingStore();
    await using bff = await startBff({ rateLimits: 'off' }, { store });
    const reader = bff.browser();
    const shown = await reader.begin();
    store.failAt(3, { applied: false, times: 3 });
    const { detail } = expectProblem(await reader.validateShown(shown), 'outcome-unknown');
    assert.doesNotMatch(detail, /service/);
    const line = bff.log.findLast(({ level }) => Number(level) >= 40);
    assert.match(String(line?.['reason']), /^the store failed after the exchange/);
    assert.equal(line?.['setting'], 'VESTIBULE_STORE');
    store.recover();
    assert.equal(expectProblem(await reader.validateShown(shown), 'outcome-unknown').detail, detail);
    assert.equal(exchangesOf(bff), 1);
  });
});
