import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { ProblemError } from './http/problem-error.ts';
import { serializeError } from './log-error.ts';

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

const unfinished = '(canary';

/** An error as code elsewhere makes it: its stack begins there. */
function foreign(message: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}\n    at validate (file:///srv/site/vestibule.config.js:10:5)\n    at runHook (${import.meta.url}:1:1)`;
  return error;
}

describe('serializeError', () => {
  it('survives an error whose getters throw', () => {
    const hostile = Object.defineProperty(new Error('canary'), 'code', { get: () => { throw new Error('canary'); } });
    assert.deepEqual(serializeError(hostile), { type: 'Error' });
  });

  it('writes name, message, code and frames of our own errors, and no other property', () => {
    const error = Object.assign(new Error('The store is closed.'), { code: 'ERR_X', body: 'canary', config: { token: 'canary' }, status: 400 });
    const { type, message, code, stack, ...rest } = serializeError(error);
    assert.deepEqual({ type, message, code, rest }, { type: 'Error', message: 'The store is closed.', code: 'ERR_X', rest: {} });
    assert.match(stack ?? '', /^\s+at .*log-error\.test\.ts/);
  });

  it('writes the place of a foreign error without its message', () => {
    const told = serializeError(foreign('canary\n    at canary\n    at canary (canary:1:1)'));
    assert.equal(told.message, undefined);
    assert.match(told.stack ?? '', /^\s+at validate \(file:\/\/\/srv\/site\/vestibule\.config\.js:10:5\)/);
    assert.doesNotMatch(JSON.stringify(told), /canary/);
  });

  it('writes no text that the engine, a parser or a library quotes', () => {
    for (const work of [
      () => JSON.parse('canary'),
      () => 'canary' in ('canary' as unknown as object),
      () => new URL('canary'),
      () => Buffer.from('canary', 'canary' as BufferEncoding),
      () => new RegExp(unfinished),
    ]) {
      const error = thrownBy(work);
      assert.ok(error instanceof Error);
      assert.match(error.message + String(Reflect.get(error, 'input')), /canary/i, 'it does quote');
      assert.doesNotMatch(JSON.stringify(serializeError(error)), /canary/i);
    }
  });

  it('keeps the code of a system error', async () => {
    const socket = connect(1, '127.0.0.1');
    const [error] = await once(socket, 'error').catch((reason: unknown) => [reason]) as [Error];
    assert.equal(serializeError(error).code, 'ECONNREFUSED');
  });

  it('ignores an overwritten name, code or stack', () => {
    const error = foreign('x');
    error.name = 'canary name';
    Object.assign(error, { code: 'canary' });
    error.stack = 'canary\n    at canary:1:1';
    assert.deepEqual(serializeError(error), { type: 'Error' });
  });

  it('writes the type of a problem', () => {
    assert.equal(serializeError(new ProblemError('service-refused', { detail: 'canary' })).message, 'service-refused');
  });

  it('follows causes, not for ever', () => {
    assert.equal(serializeError(new ProblemError('outcome-unknown', { cause: new Error('reset') })).cause?.message, 'reset');
    const circle = new Error('circle');
    circle.cause = circle;
    assert.equal(JSON.stringify(serializeError(circle)).match(/"message":"circle"/g)?.length, 6);
  });

  it('says nothing of a thrown value that is no error', () => {
    for (const thrown of ['canary', { message: 'canary' }, null, undefined, 5]) {
      assert.doesNotMatch(JSON.stringify(serializeError(thrown)), /canary/);
    }
    assert.equal(serializeError('canary').type, 'string');
  });
});
