import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { diagnoses } from '../http/diagnoses.ts';
import { ProblemError } from '../http/problem-error.ts';
import { serializeError } from '../log-error.ts';
import { HookError, runHook, type HookCall } from './run-hook.ts';

const context = { user: { user_id: '7', username: 'Ada' }, answers: { age: 18 }, forum: 'news' };

type Context = typeof context;

const calls: unknown[] = [];
const service = { request: async (...call: unknown[]) => { calls.push(call); return 'result'; } };

/** A call of `hook` that accepts `{ ok: true }`. */
function callOf(hook: HookCall<Context, object>['hook'], timeoutMs = 1_000): HookCall<Context, object> {
  return {
    name: 'validation.validate', hook, context, timeoutMs, service, partition: 'a reader',
    result: z.strictObject({ ok: z.literal(true) }),
    expected: '{ ok: true }',
    detail: 'Please try again.',
  };
}

/** An error of the publisher's file. */
function thrownBy(fields: object = {}): Error {
  return Object.assign(new Error('canary'), { stack: 'Error: canary\n    at validate (/srv/site/hooks.mjs:3:9)', ...fields });
}

/** Checks that the call fails as the hook's fault. @returns what the log gets */
async function causeOf(call: HookCall<Context, object>): Promise<HookError> {
  const error = await runHook(call).then(() => assert.fail('resolved'), (reason: unknown) => reason as ProblemError);
  assert.deepEqual([error.type, error.detail], ['internal-error', 'Please try again.']);
  assert.doesNotMatch(JSON.stringify(serializeError(error)), /canary/);
  assert.ok(error.cause instanceof HookError);
  return error.cause;
}

describe('runHook', () => {
  it("passes the context and a signal, and returns the hook's result", async () => {
    let received: Parameters<HookCall<Context, object>['hook']>[0] | undefined;
    assert.deepEqual(await runHook(callOf((given) => { received = given; return { ok: true }; })), { ok: true });
    const { signal, service: _, ...rest } = received ?? assert.fail();
    assert.deepEqual(rest, context);
    assert.equal(signal.aborted, false);
  });

  it("makes the hook's calls of the service in its partition", async () => {
    await runHook(callOf(async ({ service: given }) => {
      assert.deepEqual(Object.keys(given), ['request']);
      assert.equal(await given.request('GET', '/api', { a: 1 }, { accessToken: 'token' }), 'result');
      return { ok: true };
    }));
    assert.deepEqual(calls, [['GET', '/api', { a: 1 }, { accessToken: 'token', partition: 'a reader' }]]);
  });

  it('waits for a promise', async () => {
    assert.deepEqual(await runHook(callOf(async () => ({ ok: true }))), { ok: true });
  });

  for (const [manner, hook] of [
    ['throws', () => { throw thrownBy(); }],
    ['rejects', () => Promise.reject(thrownBy())],
  ] as const) {
    it(`logs the hook's name and its place, without the message, when it ${manner}`, async () => {
      const { message, stack } = await causeOf(callOf(hook));
      assert.equal(message, 'The hook validation.validate threw.');
      assert.match(stack ?? '', /hooks\.mjs:3:9/);
    });
  }

  it('logs why a call of the service failed, and the setting to look at', async () => {
    const keys = { reason: 'the keys are refused', setting: 'VESTIBULE_SECRET_KEY', service_status: '403' };
    for (const [failed, expected] of [
      [new ProblemError('service-refused', { diagnosis: { ...keys, service_message: 'canary' } }), keys],
      [
        new ProblemError('service-refused', { diagnosis: { service_status: '400', service_message: 'canary' } }),
        { reason: 'service-refused', setting: 'VESTIBULE_CONFIG', service_status: '400' },
      ],
      [new ProblemError('service-unavailable'), diagnoses['service-unavailable']],
    ] as const) {
      const call = { ...callOf(({ service: given }) => given.request('GET', '/api')), service: { request: () => Promise.reject(failed) } };
      const error = await runHook(call).then(() => assert.fail('resolved'), (reason: unknown) => reason as ProblemError);
      const { place: _, ...diagnosis } = error.diagnosis ?? {};
      const reason = `The hook validation.validate threw. Its call of the service: ${expected?.reason}`;
      assert.deepEqual(diagnosis, { ...expected, reason });
      assert.equal(serializeError(error).cause?.cause?.message, failed.type);
    }
  });

  it('logs the code of a connection that the hook could not open, without its message', async () => {
    const cause = serializeError(await causeOf(callOf(() => Promise.reject(thrownBy({ code: 'ECONNREFUSED' }))))).cause;
    assert.deepEqual([cause?.code, cause?.message], ['ECONNREFUSED', undefined]);
  });

  it('aborts the signal when the hook exceeds its time', async () => {
    let signal: AbortSignal | undefined;
    const { message } = await causeOf(callOf((given) => { ({ signal } = given); return new Promise(() => undefined); }, 5));
    assert.equal(message, 'The hook validation.validate did not settle within 5 ms.');
    assert.equal(signal?.aborted, true);
  });

  it('ignores a hook that rejects after its time', async () => {
    const rejected = Promise.withResolvers<never>();
    await causeOf(callOf(() => rejected.promise, 5));
    rejected.reject(new Error('canary'));
    await new Promise((resolve) => { setImmediate(resolve); });
  });

  for (const [value, described] of [
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'a boolean'],
    ['canary', 'a string'],
    [['canary'], 'an array'],
    [() => 'canary', 'a function'],
    [{}, 'an object with the members none'],
    [{ ok: true, reason: 'canary' }, 'an object with the members ok, reason'],
    [{ ok: 'canary', 'canary text': 1 }, 'an object with the members ok'],
    [new Proxy({}, { ownKeys: () => { throw new Error('canary'); } }), 'an object'],
  ] as const) {
    it(`logs the shape of the result, never its content: ${described}`, async () => {
      const { message } = await causeOf(callOf(() => value));
      assert.equal(message, `The hook validation.validate returned ${described}; expected { ok: true }.`);
    });
  }
});
