import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { Gate, type BreakerState } from './gate.ts';
import { NoAnswerError } from './service-http.ts';

const open = { name: 'NotAdmittedError', reason: 'open' };
const OPEN_MS = 2_000;
const PROBE_MS = 1_000;

const settings = { capacity: 3, queue: 4, queueTimeoutMs: 500, failures: 3, openMs: OPEN_MS, probeTimeoutMs: PROBE_MS };

/** A gate to a service whose answers are statuses; time stands until it is moved. */
function gateTo(knock: () => Promise<unknown> = () => Promise.resolve()) {
  const states: BreakerState[] = [];
  const onState = (state: BreakerState) => { states.push(state); };
  const gate = new Gate<number>(settings, { isFailure: (status) => status >= 500, knock, onState });
  return { gate, states };
}

const noAnswer = () => Promise.reject(new NoAnswerError(true, undefined));

async function fail(gate: Gate<number>, times = settings.failures): Promise<void> {
  for (let i = 0; i < times; i += 1) await assert.rejects(gate.pass(noAnswer), { name: 'NoAnswerError' });
}

describe('Gate', { concurrency: false }, () => {
  /** Runs `test` under a clock of its own. */
  const timed = (name: string, test: (tick: (ms: number) => Promise<void>) => Promise<void>) => it(name, async () => {
    mock.timers.enable({ apis: ['Date', 'setTimeout'] });
    try {
      await test(async (ms) => {
        mock.timers.tick(ms);
        await new Promise<void>((resolve) => { setImmediate(resolve); });
      });
    } finally {
      mock.timers.reset();
    }
  });

  timed('opens after so many failures in a row, and then makes no call', async () => {
    const { gate, states } = gateTo();
    await fail(gate, 2);
    assert.equal(await gate.pass(() => Promise.resolve(200)), 200);
    await fail(gate, 2);
    assert.equal(gate.state, 'closed');
    assert.equal(await gate.pass(() => Promise.resolve(502)), 502);
    assert.deepEqual(states, ['open']);
    await assert.rejects(gate.pass(() => assert.fail('a call was made')), open);
  });

  timed('takes a service for silent that answers none of many calls for a while, and for awake when it answers one', async (tick) => {
    const { gate } = gateTo();
    const calls = Array.from({ length: settings.failures }, () => Promise.withResolvers<number>());
    const passing = calls.slice(0, -1).map(({ promise }) => gate.pass(() => promise));
    await tick(60_000);
    assert.equal(gate.isSilent, false, 'too few');
    passing.push(gate.pass(() => (calls.at(-1) as PromiseWithResolvers<number>).promise));
    assert.equal(gate.isSilent, true);
    calls[0]?.resolve(200);
    await passing[0];
    const next = Promise.withResolvers<number>();
    passing.push(gate.pass(() => next.promise));
    assert.equal(gate.isSilent, false, 'an answer came');
    await tick(1_499);
    assert.equal(gate.isSilent, false);
    await tick(1);
    assert.equal(gate.isSilent, true);
    for (const { resolve } of [...calls, next]) resolve(200);
    await Promise.all(passing);
    assert.equal(gate.isSilent, false, 'nothing is under way');
  });

  timed('counts no refusal and no fault of ours', async () => {
    const { gate } = gateTo();
    for (let i = 0; i < 10; i += 1) {
      await gate.pass(() => Promise.resolve(403));
      await assert.rejects(gate.pass(() => Promise.reject(new TypeError('ours'))), TypeError);
    }
    assert.equal(gate.state, 'closed');
  });

  timed('lets one call through after a while and closes when it is answered', async (tick) => {
    const { gate, states } = gateTo();
    await fail(gate);
    await tick(OPEN_MS - 1);
    await assert.rejects(gate.pass(() => assert.fail('a call was made')), open);
    await tick(1);
    const probe = Promise.withResolvers<number>();
    const answer = gate.pass(() => probe.promise);
    await assert.rejects(gate.pass(() => assert.fail('a second call was made')), open);
    probe.resolve(200);
    assert.equal(await answer, 200);
    assert.equal(await gate.pass(() => Promise.resolve(201)), 201);
    assert.deepEqual(states, ['open', 'half-open', 'closed']);
  });

  timed('opens again when the probe fails', async (tick) => {
    const { gate, states } = gateTo();
    await fail(gate);
    await tick(OPEN_MS);
    assert.equal(await gate.pass(() => Promise.resolve(503)), 503);
    await assert.rejects(gate.pass(() => assert.fail('a call was made')), open);
    assert.deepEqual(states, ['open', 'half-open', 'open']);
  });

  timed('makes no call where nobody answers the knock', async (tick) => {
    const { gate } = gateTo(noAnswer);
    await fail(gate);
    await tick(OPEN_MS);
    await assert.rejects(gate.pass(() => assert.fail('a call was made')), { name: 'NoAnswerError', sent: false });
    assert.equal(gate.state, 'open');
  });

  timed('gives a probe so much time and calls its outcome unknown', async (tick) => {
    const { gate } = gateTo();
    await fail(gate);
    await tick(OPEN_MS);
    const answer = gate.pass(() => new Promise(() => undefined));
    await tick(0);
    const rejected = assert.rejects(answer, { name: 'NoAnswerError', sent: true });
    await tick(PROBE_MS);
    await rejected;
    assert.equal(gate.state, 'open');
  });

  timed('gives the next probe all the time it takes where the last one was answered late', async (tick) => {
    const { gate } = gateTo();
    await fail(gate);
    await tick(OPEN_MS);
    const late = Promise.withResolvers<number>();
    const given = gate.pass(() => late.promise);
    await tick(0);
    const rejected = assert.rejects(given, { name: 'NoAnswerError' });
    await tick(PROBE_MS);
    await rejected;
    late.resolve(200);
    await tick(OPEN_MS);
    const slow = Promise.withResolvers<number>();
    const answer = gate.pass(() => slow.promise);
    await tick(PROBE_MS * 5);
    slow.resolve(200);
    assert.equal(await answer, 200);
    assert.equal(gate.state, 'closed');
  });

  timed('makes no call that waited while the breaker opened', async () => {
    const { gate } = gateTo();
    const held = Array.from({ length: settings.capacity }, () => Promise.withResolvers<number>());
    const calls = held.map(({ promise }) => gate.pass(() => promise));
    const failing = Array.from({ length: settings.failures }, () => assert.rejects(gate.pass(noAnswer), { name: 'NoAnswerError' }));
    const last = assert.rejects(gate.pass(() => assert.fail('a call was made')), open);
    held[0]?.resolve(200);
    await Promise.all([...failing, last]);
    assert.equal(gate.state, 'open');
    for (const { resolve } of held) resolve(200);
    await Promise.all(calls);
  });
});
