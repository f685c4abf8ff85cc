import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { NoResponseError } from './http-transport.ts';
import { OperationPolicy, type BreakerState, type OperationHooks } from './operation-policy.ts';

const OPEN_MS = 2_000;
const QUEUE_MS = 500;
const TIMEOUT_MS = 10_000;

const limits = { capacity: 4, queue: 4, queueTimeoutMs: QUEUE_MS, timeoutMs: TIMEOUT_MS, failures: 3, openMs: OPEN_MS };

const open = { name: 'NotAdmittedError', reason: 'open' };
const busy = { name: 'NotAdmittedError', reason: 'busy' };

type Policy = OperationPolicy<number>;

/** A policy for responses that are statuses; 503 has a `Retry-After` of 30 seconds. */
function createPolicy({ hooks = {}, ...changed }: Partial<typeof limits> & { hooks?: Partial<OperationHooks<number>> } = {}) {
  const states: BreakerState[] = [];
  const policy: Policy = new OperationPolicy<number>({ ...limits, ...changed }, {
    isFailure: (status) => status >= 500,
    retryAfterSeconds: (status) => (status === 503 ? 30 : undefined),
    probe: () => Promise.resolve(),
    onStateChange: (state) => { states.push(state); },
    ...hooks,
  });
  return { policy, states };
}

const respond = (status: number) => () => Promise.resolve(status);
const noResponse = (sent: boolean) => () => Promise.reject(new NoResponseError(sent, undefined));
const mustNotCall = () => assert.fail('the call was made');

/** A call that responds when the test says so. */
function pendingCall() {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const calls = { made: 0 };
  return { resolve, reject, calls, call: () => { calls.made += 1; return promise; } };
}

/** Opens the breaker by failures of different partitions. */
async function open3(policy: Policy): Promise<void> {
  for (const partition of ['a', 'b', 'c']) await policy.execute(respond(502), partition);
}

const settle = () => new Promise<void>((resolve) => { setImmediate(resolve); });

/** Runs a test with a clock that only `tick` moves. */
function timed(name: string, test: (tick: (ms: number) => Promise<void>) => Promise<void>): void {
  it(name, async () => {
    mock.timers.enable({ apis: ['Date', 'setTimeout'] });
    try {
      await test(async (ms) => {
        await settle();
        mock.timers.tick(ms);
        await settle();
      });
    } finally {
      mock.timers.reset();
    }
  });
}

describe('the bulkhead of OperationPolicy', { concurrency: false }, () => {
  timed('limits the calls in flight and admits waiting calls in order', async () => {
    const { policy } = createPolicy({ capacity: 2, queue: 2 });
    const calls = [pendingCall(), pendingCall(), pendingCall(), pendingCall()];
    const results = calls.map(({ call }) => policy.execute(call));
    await settle();
    assert.deepEqual([policy.inFlight, policy.waiting], [2, 2]);
    assert.deepEqual(calls.map((one) => one.calls.made), [1, 1, 0, 0]);
    calls[1]?.resolve(200);
    await settle();
    assert.deepEqual(calls.map((one) => one.calls.made), [1, 1, 1, 0]);
    for (const { resolve } of calls) resolve(200);
    assert.deepEqual(await Promise.all(results), [200, 200, 200, 200]);
    assert.deepEqual([policy.inFlight, policy.waiting], [0, 0]);
  });

  timed('refuses a call while the queue is full, and says so beforehand', async () => {
    const { policy } = createPolicy({ capacity: 1, queue: 1 });
    const first = pendingCall();
    const held = [policy.execute(first.call), policy.execute(respond(200))];
    await settle();
    assert.equal(policy.refusal()?.reason, 'busy');
    await assert.rejects(policy.execute(mustNotCall), busy);
    first.resolve(200);
    await Promise.all(held);
    assert.equal(policy.refusal(), undefined);
  });

  timed('refuses a call that waited too long without making it', async (tick) => {
    const { policy } = createPolicy({ capacity: 1 });
    const first = pendingCall();
    const late = pendingCall();
    const held = policy.execute(first.call);
    const refused = assert.rejects(policy.execute(late.call), busy);
    await tick(QUEUE_MS - 1);
    assert.equal(policy.waiting, 1);
    await tick(1);
    await refused;
    assert.equal(policy.waiting, 0);
    first.resolve(200);
    assert.equal(await held, 200);
    assert.equal(await policy.execute(respond(201)), 201);
    assert.equal(late.calls.made, 0);
  });

  timed('frees the slot of a call that failed', async () => {
    const { policy } = createPolicy({ capacity: 1 });
    const first = pendingCall();
    const held = policy.execute(first.call);
    const next = policy.execute(respond(200));
    first.reject(new TypeError('ours'));
    await assert.rejects(held, TypeError);
    assert.equal(await next, 200);
  });

  timed('one partition occupies a quarter of the slots and of the queue: others are admitted at once', async () => {
    const { policy } = createPolicy({ capacity: 8, queue: 8 });
    const flood = Array.from({ length: 4 }, pendingCall);
    const flooding = flood.map(({ call }) => policy.execute(call, 'flooding'));
    await settle();
    assert.deepEqual(flood.map((one) => one.calls.made), [1, 1, 0, 0]);
    assert.equal(policy.refusal('flooding')?.reason, 'busy');
    await assert.rejects(policy.execute(mustNotCall, 'flooding'), busy);
    assert.equal(policy.refusal('honest'), undefined);
    assert.equal(await policy.execute(respond(200), 'honest'), 200);
    for (const { resolve } of flood) resolve(200);
    await Promise.all(flooding);
    assert.equal(await policy.execute(respond(200), 'flooding'), 200);
  });

  timed('a partition that waited in vain is admitted again', async (tick) => {
    const { policy } = createPolicy({ capacity: 4, queue: 4 });
    const first = pendingCall();
    const held = policy.execute(first.call, 'a');
    const refused = assert.rejects(policy.execute(mustNotCall, 'a'), busy);
    await tick(QUEUE_MS);
    await refused;
    first.resolve(200);
    await held;
    await settle();
    assert.equal(await policy.execute(respond(200), 'a'), 200);
  });
});

describe('the queue of OperationPolicy', { concurrency: false }, () => {
  timed('keeps the limits of a partition while one of its calls is in flight', async () => {
    const { policy } = createPolicy({ capacity: 8, queue: 0 });
    const [first, second, third] = [pendingCall(), pendingCall(), pendingCall()];
    const held = [policy.execute(first.call, 'a'), policy.execute(second.call, 'a')];
    first.resolve(200);
    await held[0];
    held.push(policy.execute(third.call, 'a'));
    await settle();
    await assert.rejects(policy.execute(mustNotCall, 'a'), { ...busy, message: 'The call to the service was not made: busy.' });
    for (const { resolve } of [second, third]) resolve(200);
    await Promise.all(held);
  });

  timed('keeps the limits of a partition whose calls waited in vain', async (tick) => {
    const { policy } = createPolicy({ capacity: 4, queue: 8 });
    const [first, second, third] = [pendingCall(), pendingCall(), pendingCall()];
    const held = policy.execute(first.call, 'a');
    const refused = assert.rejects(policy.execute(mustNotCall, 'a'), busy);
    await tick(QUEUE_MS - 100);
    const waiting = [policy.execute(second.call, 'a')];
    await tick(100);
    await refused;
    first.resolve(200);
    await held;
    waiting.push(policy.execute(third.call, 'a'));
    await settle();
    assert.deepEqual([second.calls.made, third.calls.made], [1, 0]);
    for (const { resolve } of [second, third]) resolve(200);
    assert.deepEqual(await Promise.all(waiting), [200, 200]);
  });

  timed('of a partition may be full of calls from before an outage', async (tick) => {
    const { policy } = createPolicy({ queue: 0 });
    const hanging = pendingCall();
    const held = policy.execute(hanging.call, 'hanging');
    await open3(policy);
    await tick(OPEN_MS);
    await assert.rejects(policy.execute(mustNotCall, 'hanging'), busy);
    assert.equal(policy.waiting, 0);
    hanging.resolve(200);
    await held;
  });

  timed('is not full while a slot is free', async () => {
    const { policy } = createPolicy({ capacity: 1, queue: 0 });
    assert.equal(policy.refusal(), undefined);
    assert.equal(await policy.execute(respond(200)), 200);
  });
});

describe('the memory of OperationPolicy', () => {
  it('does not grow with the partitions that called', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const heapUsed = async () => {
      for (let round = 0; round < 3; round += 1) {
        await new Promise((resolve) => { setImmediate(resolve); });
        collectGarbage();
      }
      return process.memoryUsage().heapUsed;
    };
    const { policy } = createPolicy();
    await policy.execute(respond(200), 'first');
    const before = await heapUsed();
    for (let i = 0; i < 20_000; i += 1) await policy.execute(respond(i % 2 === 0 ? 200 : 503), `partition ${i}`).catch(() => undefined);
    const grownBytes = await heapUsed() - before;
    assert.ok(grownBytes < 8 * 1024 * 1024, `${grownBytes}`);
    assert.ok(policy);
  });
});

describe('the circuit breaker of OperationPolicy', { concurrency: false }, () => {
  timed('opens after failures of several partitions in a row and then makes no call', async () => {
    const { policy, states } = createPolicy();
    await policy.execute(respond(502), 'a');
    await policy.execute(respond(502), 'b');
    assert.equal(await policy.execute(respond(200), 'a'), 200);
    await policy.execute(respond(502), 'a');
    await policy.execute(respond(502), 'b');
    assert.equal(policy.state, 'closed');
    assert.equal(await policy.execute(respond(502), 'c'), 502);
    assert.deepEqual(states, ['open']);
    assert.equal(policy.refusal('d')?.reason, 'open');
    await assert.rejects(policy.execute(mustNotCall, 'd'), open);
  });

  timed("stays closed for others under one partition's failures", async () => {
    const { policy } = createPolicy();
    for (let i = 0; i < 25; i += 1) {
      await policy.execute(respond(500), 'hostile');
      await assert.rejects(policy.execute(noResponse(true), 'hostile'), { name: 'NoResponseError' });
    }
    assert.equal(policy.state, 'closed');
  });

  timed('counts an unreachable service for everybody, and calls without a partition each time', async () => {
    for (const [call, partition] of [[noResponse(false), 'one'], [noResponse(true), undefined]] as const) {
      const { policy } = createPolicy();
      for (let i = 0; i < limits.failures; i += 1) await assert.rejects(policy.execute(call, partition), { name: 'NoResponseError' });
      assert.equal(policy.state, 'open');
    }
  });

  timed('does not count refusals or errors of ours', async () => {
    const { policy } = createPolicy();
    for (let i = 0; i < 10; i += 1) {
      await policy.execute(respond(403));
      await assert.rejects(policy.execute(() => Promise.reject(new TypeError('ours'))), TypeError);
    }
    for (let i = 0; i < 2; i += 1) await assert.rejects(policy.execute(() => Promise.reject(new TypeError('ours')), 'a'), TypeError);
    await policy.execute(respond(502), 'b');
    assert.equal(policy.state, 'closed');
  });

  timed('lets a call of the partition pass whose failure opened it', async (tick) => {
    const { policy } = createPolicy();
    await open3(policy);
    await tick(OPEN_MS);
    assert.equal(await policy.execute(respond(200), 'c'), 200);
  });

  timed('lets a call of the partition pass whose call closed it before', async (tick) => {
    const { policy } = createPolicy();
    for (let outage = 0; outage < 2; outage += 1) {
      await open3(policy);
      await tick(OPEN_MS);
      assert.equal(await policy.execute(respond(200), 'd'), 200);
    }
  });

  timed('lets one call pass after a while and closes when it succeeds', async (tick) => {
    const { policy, states } = createPolicy();
    await open3(policy);
    await tick(OPEN_MS - 1);
    await assert.rejects(policy.execute(mustNotCall, 'd'), open);
    await tick(1);
    const passing = pendingCall();
    const response = policy.execute(passing.call, 'd');
    await settle();
    await assert.rejects(policy.execute(mustNotCall, 'e'), open);
    passing.resolve(200);
    assert.equal(await response, 200);
    assert.equal(await policy.execute(respond(201), 'e'), 201);
    assert.deepEqual(states, ['open', 'half-open', 'closed']);
  });

  timed('makes no call if the probe fails', async (tick) => {
    const { policy } = createPolicy({ hooks: { probe: () => Promise.reject(new Error('refused')) } });
    await open3(policy);
    await tick(OPEN_MS);
    await assert.rejects(policy.execute(mustNotCall, 'd'), { name: 'NoResponseError', sent: false });
    assert.equal(policy.state, 'open');
  });

  timed('opens again if the call behind the probe fails; then another partition gets the next turn', async (tick) => {
    const { policy, states } = createPolicy();
    await open3(policy);
    await tick(OPEN_MS);
    assert.equal(await policy.execute(respond(502), 'hostile'), 502);
    await tick(OPEN_MS);
    await assert.rejects(policy.execute(mustNotCall, 'hostile'), open);
    assert.equal(await policy.execute(respond(200), 'honest'), 200);
    assert.deepEqual(states, ['open', 'half-open', 'open', 'half-open', 'closed']);
  });

  timed('lets the only partition pass again one period later', async (tick) => {
    const { policy } = createPolicy();
    await open3(policy);
    await tick(OPEN_MS);
    await policy.execute(respond(502), 'only');
    await tick(2 * OPEN_MS - 1);
    await assert.rejects(policy.execute(mustNotCall, 'only'), open);
    await tick(1);
    assert.equal(await policy.execute(respond(200), 'only'), 200);
    assert.equal(policy.state, 'closed');
  });

  timed('recovers while calls from before the outage still hang', async (tick) => {
    const { policy } = createPolicy({ capacity: 4 });
    const hanging = [pendingCall(), pendingCall(), pendingCall()];
    const held = hanging.map(({ call }, i) => policy.execute(call, `hanging ${i}`));
    await settle();
    await open3(policy);
    await tick(OPEN_MS);
    assert.equal(await policy.execute(respond(200), 'd'), 200);
    assert.equal(policy.state, 'closed');
    for (const { resolve } of hanging) resolve(200);
    await Promise.all(held);
  });

  timed('late failures of calls from before the outage do not open it again', async (tick) => {
    const { policy } = createPolicy();
    const late = pendingCall();
    const calling = policy.execute(late.call, 'late');
    await settle();
    await open3(policy);
    await tick(OPEN_MS);
    const passing = pendingCall();
    const response = policy.execute(passing.call, 'd');
    await settle();
    late.resolve(502);
    await calling;
    passing.resolve(200);
    assert.equal(await response, 200);
    assert.equal(policy.state, 'closed');
  });

  timed('makes no call that waited while the breaker opened', async () => {
    const { policy } = createPolicy({ capacity: 1 });
    const first = pendingCall();
    const held = policy.execute(first.call, 'a');
    const failing = [policy.execute(respond(502), 'b'), policy.execute(respond(502), 'c')];
    const last = assert.rejects(policy.execute(mustNotCall, 'd'), open);
    first.resolve(502);
    await Promise.all([held, ...failing, last]);
  });
});

describe('the time limits of OperationPolicy', { concurrency: false }, () => {
  timed('aborts the signal of a call when its time is over, and not before', async (tick) => {
    const { policy } = createPolicy();
    let signal: AbortSignal | undefined;
    const response = policy.execute((given) => {
      signal = given;
      return new Promise((_, reject) => { given.addEventListener('abort', () => { reject(new NoResponseError(true, undefined)); }); });
    });
    const rejected = assert.rejects(response, { name: 'NoResponseError', sent: true });
    await tick(TIMEOUT_MS - 1);
    assert.equal(signal?.aborted, false);
    await tick(1);
    await rejected;
    assert.equal(signal?.aborted, true);
  });

  timed('does not abort the signal of a call that has ended', async (tick) => {
    const { policy } = createPolicy();
    let signal: AbortSignal | undefined;
    await policy.execute((given) => { signal = given; return Promise.resolve(200); });
    await tick(TIMEOUT_MS);
    assert.equal(signal?.aborted, false);
  });

  timed('gives the probe and the call behind it one time limit', async (tick) => {
    const probed = Promise.withResolvers<void>();
    const { policy } = createPolicy({ hooks: { probe: () => probed.promise } });
    await open3(policy);
    await tick(OPEN_MS);
    let signal: AbortSignal | undefined;
    const passing = pendingCall();
    const response = policy.execute((given) => { signal = given; return passing.call(); }, 'd');
    await tick(1_500);
    probed.resolve();
    await tick(TIMEOUT_MS - 1_501);
    assert.equal(signal?.aborted, false);
    await tick(1);
    assert.equal(signal?.aborted, true);
    passing.resolve(200);
    await response;
  });

  timed('does not take calls that just started after an idle time for a stall', async (tick) => {
    const { policy } = createPolicy();
    await policy.execute(respond(200));
    await tick(60_000);
    const calls = Array.from({ length: 3 }, pendingCall);
    const results = calls.map(({ call }) => policy.execute(call));
    await settle();
    assert.equal(policy.isStalled, false);
    for (const { resolve } of calls) resolve(200);
    await Promise.all(results);
  });

  timed('reports a stall when enough calls have been without a response for a while', async (tick) => {
    const { policy } = createPolicy();
    const calls = Array.from({ length: 3 }, pendingCall);
    const results = calls.slice(0, -1).map(({ call }) => policy.execute(call));
    await tick(60_000);
    assert.equal(policy.isStalled, false, 'too few calls');
    results.push(policy.execute((calls.at(-1) as ReturnType<typeof pendingCall>).call));
    await settle();
    assert.equal(policy.isStalled, true);
    calls[0]?.resolve(200);
    await results[0];
    const next = pendingCall();
    results.push(policy.execute(next.call));
    await settle();
    assert.equal(policy.isStalled, false, 'a response arrived');
    await tick(1_499);
    assert.equal(policy.isStalled, false);
    await tick(1);
    assert.equal(policy.isStalled, true);
    for (const { resolve } of [...calls, next]) resolve(200);
    await Promise.all(results);
    assert.equal(policy.isStalled, false, 'nothing is in flight');
  });
});

describe('Retry-After in OperationPolicy', { concurrency: false }, () => {
  timed('is forgotten for the partition that got it first, when 10,001 have one', async (tick) => {
    const { policy } = createPolicy({ hooks: { isFailure: () => false } });
    const reasonFor = (partition: string) => policy.refusal(partition)?.reason;
    await policy.execute(respond(503), 'again');
    await tick(31_000);
    for (let i = 0; i < 9_999; i += 1) await policy.execute(respond(503), String(i));
    await policy.execute(respond(503), 'again');
    await policy.execute(respond(503));
    assert.deepEqual([reasonFor('0'), reasonFor('again')], ['retry-after', 'retry-after']);
    await policy.execute(respond(503), 'one more');
    assert.deepEqual(['0', '1', 'again', 'one more'].map(reasonFor), [undefined, 'retry-after', 'retry-after', 'retry-after']);
  });

  timed('of a call without a partition holds for nobody', async () => {
    const { policy } = createPolicy({ hooks: { isFailure: () => false } });
    await policy.execute(respond(503));
    assert.deepEqual([policy.refusal(), policy.refusal('undefined')], [undefined, undefined]);
    assert.equal(await policy.execute(respond(200)), 200);
  });

  timed('is not withdrawn by the response to another call', async () => {
    const { policy } = createPolicy({ capacity: 8 });
    const [first, second] = [pendingCall(), pendingCall()];
    const held = [first, second].map(({ call }) => policy.execute(call, 'told'));
    first.resolve(503);
    await held[0];
    second.resolve(200);
    await held[1];
    assert.equal(policy.refusal('told')?.retryAfterSeconds, 30);
  });

  timed('holds for its partition only, and for as long as the service asked', async (tick) => {
    const { policy } = createPolicy();
    await policy.execute(respond(503), 'told');
    assert.deepEqual([policy.refusal('told')?.reason, policy.refusal('told')?.retryAfterSeconds], ['retry-after', 30]);
    await assert.rejects(policy.execute(mustNotCall, 'told'), { reason: 'retry-after', retryAfterSeconds: 30 });
    assert.equal(await policy.execute(respond(200), 'other'), 200);
    assert.equal(await policy.execute(respond(200)), 200);
    await tick(29_001);
    assert.equal(policy.refusal('told')?.retryAfterSeconds, 1);
    await tick(999);
    assert.equal(await policy.execute(respond(200), 'told'), 200);
  });
});
