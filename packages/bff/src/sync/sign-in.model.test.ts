/** Model-based test of the sign-in: random interleavings of two browsers, two processes, crashes, lost replies of the store,
 *  failures of the service, and sign-outs. */

import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import fc from 'fast-check';
import type { User } from '@vestibule/shared';
import { ProblemError } from '../http/problem-error.ts';
import type { TokenGrant } from '../service/token-exchange.ts';
import { StoreUnavailableError, type Store } from '../store/store.ts';
import {
  ada, createMemoryStore, createSignInProcess, grantOf, mallory, notSent, returnOf, type SignInProcess,
} from './_sign-in-world.ts';
import type { FinishedSync } from './sign-in.ts';
import { syncIdOf } from './sync-transaction.ts';

const RUNS = 2_000;

/** What the exchange of one code leads to. */
const codeArb = fc.record({
  claimed: fc.constantFrom(ada, { ...ada, username: 'forged name' }, mallory),
  proven: fc.constantFrom(ada, mallory),
  failure: fc.constantFrom(undefined, undefined, undefined, 'not-sent', 'outcome-unknown', 'service-refused'),
});

type CodePlan = typeof codeArb extends fc.Arbitrary<infer T> ? T : never;

const actionArb = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('start' as const), code: fc.nat(3) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('validate' as const), pick: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), pick: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sign-out' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
);

const tabArb = fc.record({
  browser: fc.nat(1),
  process: fc.nat(1),
  actions: fc.array(actionArb, { minLength: 1, maxLength: 5 }),
});

const planArb = fc.record({
  codes: fc.array(codeArb, { minLength: 4, maxLength: 4 }),
  tabs: fc.array(tabArb, { minLength: 1, maxLength: 4 }),
  /** Calls of the store that fail: before (`false`) or after (`true`) they were applied. */
  storeFailures: fc.dictionary(fc.integer({ min: 0, max: 60 }).map(String), fc.boolean(), { maxKeys: 3 }),
});

type Plan = typeof planArb extends fc.Arbitrary<infer T> ? T : never;

interface BrowserModel {
  syncKeys: string[];
  sessionId: string | undefined;
  /** Of each session that the browser got: whom the reader confirmed. */
  readonly confirmed: Map<string, string>;
}

const storeMethods = ['get', 'set', 'setIfAbsent', 'compareAndSet', 'touch', 'take', 'delete'] as const;

class Run {
  readonly #plan: Plan;
  readonly #scheduler: fc.Scheduler;
  readonly #store = createMemoryStore(() => this.#now);
  readonly #processes: SignInProcess[];
  readonly #epochs = [0, 0];
  readonly #browsers: BrowserModel[] = [0, 1].map(() => ({ syncKeys: [], sessionId: undefined, confirmed: new Map() }));
  readonly #sent = new Map<string, number>();
  readonly #outcomes = new Map<string, string>();
  /** Keys of transactions that a completed sign-out ended. */
  readonly #signedOut = new Set<string>();
  readonly #delivered: { readonly key: string; readonly sessionId: string }[] = [];
  #storeCalls = 0;
  #now = 1_000_000;

  constructor(plan: Plan, scheduler: fc.Scheduler) {
    this.#plan = plan;
    this.#scheduler = scheduler;
    this.#processes = [0, 1].map((index) => this.#startProcess(index));
  }

  async run(): Promise<void> {
    const tabs = Promise.all(this.#plan.tabs.map((tab) => this.#runTab(tab)));
    let isDone = false;
    void tabs.then(() => { isDone = true; }, () => { isDone = true; });
    for (let idle = 0; !isDone && idle < 2_000; idle += 1) {
      await flush();
      if (this.#scheduler.count() > 0) await this.#scheduler.waitOne();
      else this.#advance(200);
    }
    assert.ok(isDone, 'every request settles');
    await tabs;
    await this.#checkEnd();
  }

  async #runTab({ browser: at, process: index, actions }: Plan['tabs'][number]): Promise<void> {
    const browser = this.#browsers[at] as BrowserModel;
    for (const action of actions) {
      await this.#scheduler.schedule(Promise.resolve());
      if (action.do === 'crash') {
        this.#epochs[index] = (this.#epochs[index] ?? 0) + 1;
        this.#processes[index] = this.#startProcess(index);
        continue;
      }
      const epoch = this.#epochs[index];
      const crashed = this.#whenCrashed(index, epoch);
      await Promise.race([crashed, this.#act(browser, this.#processes[index] as SignInProcess, action).catch(expectProblem)]);
    }
  }

  async #act(browser: BrowserModel, process: SignInProcess, action: Exclude<Plan['tabs'][number]['actions'][number], { do: 'crash' }>): Promise<void> {
    const { signIn } = process;
    const syncKeys = [...browser.syncKeys];
    const context = { syncKeys, sessionId: browser.sessionId, partition: 'address', requestId: 'request' };
    switch (action.do) {
      case 'start': {
        const key = await signIn.start(returnOf(`code-${action.code}`, this.#codes[action.code]?.claimed), 'news', { syncKeys });
        if (!browser.syncKeys.includes(key)) browser.syncKeys.push(key);
        return;
      }
      case 'sign-out': {
        const { sessionId } = browser;
        await signIn.forget(syncKeys);
        if (sessionId !== undefined) await process.sessions.end(sessionId);
        for (const key of syncKeys) this.#signedOut.add(key);
        browser.syncKeys = browser.syncKeys.filter((key) => !syncKeys.includes(key));
        if (browser.sessionId === sessionId) browser.sessionId = undefined;
        return;
      }
      case 'cancel': {
        const key = syncKeys[action.pick % syncKeys.length];
        if (key !== undefined) this.#deliver(browser, key, undefined, await signIn.cancel(syncIdOf(key), context));
        return;
      }
      case 'validate': {
        const key = syncKeys[action.pick % syncKeys.length];
        const shown = key === undefined ? undefined : await this.#shown(process, key);
        if (key === undefined || shown === undefined) return;
        const validation = { username: shown.username, answers: {}, languages: [] };
        try {
          this.#deliver(browser, key, shown.username, await signIn.validate(syncIdOf(key), validation, context));
        } catch (error) {
          await this.#checkNothingDone(error, process, key);
          throw error;
        }
      }
    }
  }

  /** Whom the form shows: the claimed user, or the proven one after `user-changed`. */
  async #shown({ transactions }: SignInProcess, key: string): Promise<User | undefined> {
    const record = (await transactions.find(key))?.record;
    if (record === undefined) return undefined;
    if (record.state === 'done') return 'outcome' in record.result ? record.result.session?.user ?? ada : ada;
    return record.state === 'granted' ? record.grant.user : { user_id: record.user_id, username: record.username };
  }

  /** Invariant: a `done` outcome never changes. */
  #deliver(browser: BrowserModel, key: string, username: string | undefined, finished: FinishedSync): void {
    const text = JSON.stringify(finished);
    const earlier = this.#outcomes.get(key);
    if (earlier === undefined) {
      this.#outcomes.set(key, text);
      if (finished.sessionId !== undefined && username !== undefined) browser.confirmed.set(finished.sessionId, username);
    } else {
      assert.equal(text, earlier);
    }
    if (finished.sessionId === undefined) return;
    browser.sessionId = finished.sessionId;
    this.#delivered.push({ key, sessionId: finished.sessionId });
  }

  /** Invariant: nothing is reported as not done that was done. */
  async #checkNothingDone(error: unknown, { transactions }: SignInProcess, key: string): Promise<void> {
    if (!(error instanceof ProblemError) || error.type !== 'service-unavailable') return;
    const record = (await transactions.find(key))?.record;
    if (record?.state === 'validating') assert.equal(this.#sent.get(record.code) ?? 0, 0);
  }

  async #checkEnd(): Promise<void> {
    for (const [code, times] of this.#sent) assert.ok(times <= 1, `${code} was exchanged ${times} times`);
    const { sessions } = createSignInProcess({ store: this.#store, exchange: () => assert.fail(), now: () => this.#now });
    for (const browser of this.#browsers) {
      for (const [sessionId, username] of browser.confirmed) {
        const session = await sessions.find(sessionId);
        if (!session) continue;
        assert.equal(session.user.username, username, 'the session is of the confirmed name');
        assert.equal(session.accessToken, `token-of-${session.user.user_id}`, 'the session is of the proven user');
      }
    }
    for (const { key, sessionId } of this.#delivered) {
      if (this.#signedOut.has(key)) assert.equal(await sessions.find(sessionId), undefined, 'a sign-out ends the session of each of its sign-ins');
    }
  }

  get #codes(): readonly CodePlan[] {
    return this.#plan.codes;
  }

  #startProcess(index: number): SignInProcess {
    const epoch = this.#epochs[index];
    return createSignInProcess({
      store: this.#unreliable(index, epoch),
      exchange: (code) => this.#exchange(code, index, epoch),
      now: () => this.#now,
    });
  }

  async #exchange(code: string, index: number, epoch: number | undefined): Promise<TokenGrant> {
    const plan = this.#codes[Number(code.slice('code-'.length))] as CodePlan;
    await this.#scheduler.schedule(Promise.resolve());
    if (this.#epochs[index] !== epoch) return new Promise(() => undefined);
    if (plan.failure === 'not-sent') throw notSent();
    this.#sent.set(code, (this.#sent.get(code) ?? 0) + 1);
    await this.#scheduler.schedule(Promise.resolve());
    if (plan.failure !== undefined) throw new ProblemError(plan.failure);
    return grantOf(plan.proven);
  }

  /** The store as one process sees it: calls interleave, fail, and stop for ever when the process crashes. */
  #unreliable(index: number, epoch: number | undefined): Store {
    const wrap = (method: (typeof storeMethods)[number]) => async (...args: unknown[]) => {
      const call = this.#storeCalls;
      this.#storeCalls += 1;
      await this.#scheduler.schedule(Promise.resolve());
      if (this.#epochs[index] !== epoch) return new Promise(() => undefined);
      const isApplied = this.#plan.storeFailures[String(call)];
      if (isApplied === false) throw new StoreUnavailableError(new Error('lost request'));
      const result = await (this.#store[method] as (...all: unknown[]) => Promise<unknown>)(...args);
      await this.#scheduler.schedule(Promise.resolve());
      if (this.#epochs[index] !== epoch) return new Promise(() => undefined);
      if (isApplied === true) throw new StoreUnavailableError(new Error('lost reply'));
      return result;
    };
    return Object.fromEntries(storeMethods.map((method) => [method, wrap(method)])) as unknown as Store;
  }

  #crashListeners: (() => void)[] = [];

  async #whenCrashed(index: number, epoch: number | undefined): Promise<void> {
    while (this.#epochs[index] === epoch) await new Promise<void>((resolve) => { this.#crashListeners.push(resolve); });
  }

  #advance(ms: number): void {
    this.#now += ms;
    mock.timers.tick(ms);
    for (const wake of this.#crashListeners.splice(0)) wake();
  }
}

/** Lets everything run that waits for no timer and no turn of the scheduler. */
async function flush(): Promise<void> {
  for (let i = 0; i < 12; i += 1) await Promise.resolve();
}

function expectProblem(error: unknown): void {
  if (error instanceof ProblemError || error instanceof StoreUnavailableError) return;
  throw error;
}

describe('a sign-in under random interleavings', () => {
  it(`keeps its invariants in ${RUNS} runs`, async () => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    try {
      const property = fc.asyncProperty(planArb, fc.scheduler(), (plan, scheduler) => new Run(plan, scheduler).run());
      await fc.assert(property, { numRuns: RUNS });
    } finally {
      mock.timers.reset();
    }
  });
});
