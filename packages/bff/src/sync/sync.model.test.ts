/**
 * Random schedules of the sign-in: the real modules of two processes on one store. A seeded generator decides which operation of
 * the store, the service or a hook settles next, and how: applied, refused, its reply lost, or never, as its process crashes.
 * `VESTIBULE_SCHEDULES`: how many, by default 300; `VESTIBULE_SEED`: only this one.
 */

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ProblemError } from '../problem.ts';
import { sha256 } from '../lib/identifiers.ts';
import { createRecords, type Cipher } from '../store/records.ts';
import { StoreUnavailableError, type Store, type StoredEntry } from '../store/store.ts';
import { createFinish, type FinishDeps } from './finish.ts';
import { createSyncRecords, publicId, type Sync, type SyncRecords } from './record.ts';

type Syncs = Pick<SyncRecords, 'start' | 'view' | 'end'> & ReturnType<typeof createFinish>;

const { VESTIBULE_SCHEDULES = '300', VESTIBULE_SEED } = process.env;

/** How long one operation takes at most. The store's operations around a call or a hook take less than the margin. */
const LIMITS = { store: 1_000, hook: 10_000, exchange: 6_000, timer: Infinity, reader: Infinity };
const user = { user_id: '7', username: 'Ada' };
const syncReturn = (code: string) => ({ code, ...user, audiencesync_uri: 'https://service.example/audiencesync/complete/' });
const [FIRST, SECOND, NEWER] = [`${sha256('code')}.first`, `${sha256('code')}.second`, `${sha256('newer')}.first`] as const;

type Answer<T> = { readonly value: T; readonly failed?: undefined } | { readonly failed: string };
type Process = { name: string; syncs: Syncs; crash: PromiseWithResolvers<{ readonly failed: string }>; accepting: number };
type Pending = Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> & {
  kind: 'store' | 'hook' | 'exchange' | 'timer' | 'reader'; name: string; process: Process | undefined; due: number; latest: number; apply: () => unknown; applied?: { value: unknown };
};

let seed = 0;
/** Mulberry32. */
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
const chance = (share: number) => random() < share;

class World {
  now = 0;
  sent = 0;
  /** Share of operations that fail; 0 once the schedule ends. */
  faults = pick([0, 0.05, 0.15, 0.35]);
  readonly isFaulty = this.faults > 0;
  /** Shorter than some schedules: the sign-in expires. */
  readonly lifetimeMs = chance(0.1) ? 20_000 : 10 ** 7;
  readonly violations = new Set<string>();
  readonly trace: string[] = [];
  readonly data = new Map<string, StoredEntry>();
  readonly #slowest = pick<Pending['kind']>(['store', 'exchange', 'hook', 'timer']);
  #pending: Pending[] = [];
  #processes: Process[] = [];
  #running: Process | undefined;
  #isGranted = false;
  #crashes = 0;
  #writes = 0;

  constructor() {
    this.#processes = [this.#process('A'), this.#process('B')];
  }

  check = (rule: string, holds: boolean) => { if (!holds) this.violations.add(rule); };
  isDone = () => this.#entry(`sync:${sha256(sha256('code'))}`)?.value.includes('"state":"done"') ?? false;
  hasSession = (id = '') => [...this.data.keys()].some((key) => key.startsWith(`session:${id}`));

  wait<T>(kind: Pending['kind'], name: string, apply: () => T, afterMs = 0): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.push({ kind, name, process: kind === 'reader' ? undefined : this.#running, due: this.now + afterMs, latest: this.now + LIMITS[kind], apply, resolve, reject });
    return promise as Promise<T>;
  }

  /** A reader's request, to either process. `failed`: a problem type, `store` or `crash`. */
  async ask<T>(name: string, send: (syncs: Syncs) => Promise<T>): Promise<Answer<T>> {
    await this.wait('reader', name, () => undefined);
    const to = this.#running = pick(this.#processes);
    const failure = (error: unknown) => ({ failed: error instanceof ProblemError ? error.type : error instanceof StoreUnavailableError ? 'store' : `bug: ${(error as Error).stack}` });
    const answer: Answer<T> = await Promise.race([send(to.syncs).then((value) => ({ value }), failure), to.crash.promise]);
    this.trace.push(`${name}: ${JSON.stringify(answer)}`);
    if (answer.failed?.startsWith('bug')) this.violations.add(answer.failed);
    return answer;
  }

  readonly #acceptance: FinishDeps['acceptance'] = {
    decide: ({ proven }) => this.wait('hook', 'validate', () => ({
      outcome: 'accepted', answers: {}, isRepeated: proven !== false && chance(0.5),
    })),
    accept: async ({ session: { id, user: { proven } } }, { isRepeated }) => {
      this.check('repeated answers for a proven user', !isRepeated || proven !== false);
      const process = this.#running as Process;
      this.check('accept only after a grant', this.#isGranted);
      this.check('one accept at a time', this.#processes.every(({ accepting }) => accepting === 0));
      process.accepting += 1;
      const completion = this.wait('hook', 'onAccepted', () => undefined).then(() => this.#store.set(`session:${id}`, '', undefined));
      await completion.finally(() => { process.accepting -= 1; });
      return async () => { await this.#store.delete(`session:${id}`); };
    },
  };

  readonly #sessions: FinishDeps['sessions'] = {
    endCreated: async ({ id }) => { await this.#store.delete(`session:${id}`); },
  };

  readonly #service: FinishDeps['service'] = {
    exchangeCode: () => {
      const { username, user_id } = user;
      const grant = { accessToken: 'token', expiresIn: undefined, userId: chance(0.8) ? user_id : undefined, username };
      this.sent += 1;
      return this.wait('exchange', 'exchange', () => grant);
    },
  };

  async run(readers: Promise<void>): Promise<void> {
    let isOver = false;
    const over = readers.finally(() => { isOver = true; });
    for (let steps = 0; !isOver; steps += 1) {
      if (steps > 150) this.faults = 0;
      const latest = Math.min(...this.#pending.map((one) => one.latest));
      const ready = this.#pending.filter(({ due }) => due <= latest);
      const quick = ready.filter(({ kind }) => kind !== this.#slowest);
      if (chance(this.faults && 0.15)) this.now = Math.max(this.now, Math.min(latest, this.now + pick([600, 3_000, 20_000])));
      if (this.#crashes < 2 && chance(this.faults / 8)) this.#crash(pick(this.#processes));
      else if (ready.length > 0) this.#settle(pick(quick.length > 0 && chance(0.9) ? quick : ready));
      await new Promise((resolve) => { setImmediate(resolve); });
    }
    return over;
  }

  #settle(one: Pending): void {
    const { kind, name, process } = one;
    const ways = { store: ['refused', 'lost'], hook: ['lost'], exchange: ['refused', 'lost', 'not sent'], timer: [''], reader: [''] };
    const fault = chance(this.faults) ? pick(ways[kind]) : '';
    const isLater = kind === 'store' && fault === '' && chance(0.2);
    this.now = Math.max(this.now, one.due);
    this.trace.push(`${this.now} ${process?.name ?? 'reader'}: ${name} ${isLater ? 'applied' : fault}`);
    if (fault === '' || fault === 'lost') one.applied ??= { value: one.apply() };
    if (isLater) return;
    this.#pending = this.#pending.filter((other) => other !== one);
    this.#running = process;
    if (fault === 'not sent') this.sent -= 1;
    this.#isGranted ||= kind === 'exchange' && fault === '';
    if (fault === '') one.resolve(one.applied?.value);
    else if (kind === 'store') one.reject(new StoreUnavailableError(undefined));
    else one.reject(new ProblemError(kind === 'hook' ? 'internal-error' : fault === 'refused' ? 'service-refused' : fault === 'lost' ? 'outcome-unknown' : 'service-unavailable'));
  }

  #crash(process: Process): void {
    for (const one of this.#pending) if (one.process === process && !one.applied && chance(0.5)) one.apply();
    this.#pending = this.#pending.filter((one) => one.process !== process);
    this.#crashes += 1;
    this.#processes = this.#processes.map((one) => one === process ? this.#process(`${process.name}'`) : one);
    this.trace.push(`${process.name} crashes`);
    process.crash.resolve({ failed: 'crash' });
  }

  #entry(key: string): StoredEntry | undefined {
    const found = this.data.get(key);
    return (found?.expiresAt ?? 0) > this.now ? found : undefined;
  }

  get #store(): Pick<Store, 'get' | 'set' | 'setIfAbsent' | 'compareAndSet' | 'delete'> {
    const write = (key: string, value: string, ms = Infinity) => this.data.set(key, { value, expiresAt: this.now + ms }).has(key);
    const run = <T>(name: string, key: string, apply: () => T) => this.wait('store', `${name} ${key.slice(0, 12)}`, apply);
    return {
      get: (key) => run('get', key, () => this.#entry(key)),
      set: (key, value, lifetimeMs) => run('set', key, () => { write(key, value, lifetimeMs); }),
      setIfAbsent: (key, value, lifetimeMs) => run('create', key, () => !this.#entry(key) && write(key, value, lifetimeMs)),
      compareAndSet: (key, expected, value, lifetimeMs) => run(/"state":"\w+"/.exec(value)?.[0] ?? '', key, () => this.#entry(key)?.value === expected && write(key, value, lifetimeMs)),
      delete: (key) => run('delete', key, () => this.data.delete(key)),
    };
  }

  #process(name: string): Process {
    const cipher = { encrypt: (_: string, json: string) => `${++this.#writes}|${json}`, decrypt: (_: string, stored: string) => stored.slice(stored.indexOf('|') + 1) };
    const config = { serviceUrl: 'https://service.example', publicKey: 'key', requireProvenUser: false, syncSeconds: this.lifetimeMs / 1_000, serviceTimeoutMs: LIMITS.exchange, hookTimeoutMs: LIMITS.hook };
    const log = { warn: () => undefined };
    const records = createSyncRecords({
      records: createRecords<Sync>('sync', { store: this.#store as Store, cipher: cipher as unknown as Cipher, now: () => this.now }),
      config, log, sessions: this.#sessions,
    });
    const finish = createFinish({
      syncs: records, config, log, acceptance: this.#acceptance, sessions: this.#sessions, service: this.#service,
    });
    const syncs = { ...records, ...finish };
    return { name, syncs, crash: Promise.withResolvers(), accepting: 0 };
  }
}

/** A browser with a double click, a sign-out and a newer sign-in; another one with the same code; then the repeated request. */
async function readers(world: World): Promise<void> {
  const [started, accepted, sessions] = [new Set<string>(), new Set<string>(), new Set<string | undefined>()];
  const canExpire = world.lifetimeMs < 10 ** 6;
  const did = { end: false, newer: false, ended: false };
  const repeat = async (most: number, ask: () => Promise<{ readonly failed?: string | undefined }>) => {
    for (let left = most; left > 0; left -= 1) {
      const { failed = 'fine' } = await ask();
      if (!['service-unavailable', 'store', 'crash', 'internal-error'].includes(failed)) return failed;
    }
    return 'never';
  };
  const start = (cookie: string) => repeat(5, () => world.ask(`start ${cookie}`, async (syncs) => {
    await syncs.start(syncReturn('code'), { forum: 'news' }, cookie);
    started.add(cookie);
  }));
  const finish = (cookie: string, most: number) => repeat(most, async () => {
    const wasStarted = started.has(cookie);
    const answer = await world.ask(`finish ${cookie}`, (syncs) => syncs.validate(cookie, {
      sync: publicId(cookie), username: user.username, given: { answers: {}, languages: [], isKnown: () => false }, requestId: '',
    }));
    if (answer.failed === undefined) {
      accepted.add(cookie);
      sessions.add(answer.value.session?.id);
      world.check('accepted with a session', did.end || world.hasSession(answer.value.session?.id));
    }
    world.check('outcome-unknown only after a fault', answer.failed !== 'outcome-unknown' || world.isFaulty);
    world.check('no-sync-in-progress only after an end', answer.failed !== 'no-sync-in-progress' || !wasStarted || canExpire || did.end || did.newer);
    return answer;
  });
  const leave = async (by: 'end' | 'newer', send: (syncs: Syncs) => Promise<unknown>) => {
    const { failed } = await world.ask(by, (syncs) => { did[by] = true; return send(syncs); });
    if (failed !== undefined || canExpire || !started.has(FIRST)) return { failed };
    world.check(`done after ${by}`, world.isDone() && !(by === 'end' && accepted.has(FIRST) && world.hasSession()));
    did.ended ||= by === 'end';
    return {};
  };
  const first = Promise.all([start(FIRST), chance(0.3) && start(FIRST)]).then(() => Promise.all([
    finish(FIRST, 3), finish(FIRST, 3), chance(0.4) && repeat(3, () => leave('end', (syncs) => syncs.end(FIRST))),
    chance(0.2) && repeat(3, () => leave('newer', (syncs) => syncs.start(syncReturn('newer'), { forum: 'news' }, NEWER, FIRST))),
  ]));
  await Promise.all([first, chance(0.5) && start(SECOND).then(() => finish(SECOND, 1))]);
  world.faults = 0;
  const last = await finish(FIRST, 8);
  world.check('one exchange', world.sent <= 1);
  world.check('one browser', accepted.size <= 1 && (started.size <= 1 || canExpire));
  world.check('one session', sessions.size <= 1);
  world.check('a final answer', last !== 'never');
  world.check('accepted lasts', !accepted.has(FIRST) || did.end || (world.hasSession() && (last === 'fine' || canExpire)));
  world.check('an end lasts', !did.ended || (last !== 'fine' && !world.hasSession()));
}

it('keeps the rules of a sign-in in every schedule', async (test) => {
  let world = new World();
  test.mock.method(performance, 'now', () => world.now);
  test.mock.method(globalThis, 'setTimeout', (callback: () => void, ms: number) => {
    void world.wait('timer', 'timer', () => undefined, ms).then(callback);
    return { unref: () => undefined };
  });
  for (let number = Number(VESTIBULE_SEED ?? 1); number <= Number(VESTIBULE_SEED ?? VESTIBULE_SCHEDULES); number += 1) {
    seed = number;
    world = new World();
    await world.run(readers(world));
    assert.equal(world.violations.size, 0, `VESTIBULE_SEED=${number}: ${[...world.violations].join('; ')}\n${world.trace.join('\n')}`);
  }
});
