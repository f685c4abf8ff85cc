import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { fieldSchema } from '../config/fields.ts';
import type { ValidationHooks } from '../config/hooks.ts';
import { sha256 } from '../lib/identifiers.ts';
import { SignInHooks } from './sign-in-hooks.ts';

const context = { user: { user_id: '7', username: 'Ada' }, answers: {}, forum: 'news' };

interface Hooks {
  readonly hooks: SignInHooks;
  /** Of the calls of the service. */
  readonly partitions: unknown[];
}

function create(validation: ValidationHooks): Hooks {
  const partitions: unknown[] = [];
  const service = {
    request: async (...[, , , options]: readonly unknown[]) => {
      partitions.push((options as { partition: string }).partition);
      return {} as never;
    },
  };
  const fields = z.array(fieldSchema).parse([{ name: 'age', type: 'number', label: 'Age' }]);
  const config = { validation: { fields, ...validation }, hookTimeoutMs: 10_000 };
  return { hooks: new SignInHooks(config, service), partitions };
}

const validate = (result: unknown) => create({ validate: () => result as never }).hooks.validate(context, 'address');

describe('SignInHooks.validate', () => {
  it('lets the reader go on without a hook, and when the hook agrees', async () => {
    assert.equal(await create({}).hooks.validate(context, 'address'), undefined);
    assert.equal(await validate({ ok: true }), undefined);
  });

  it('rejects the reader, with a reason of at most 1,000 characters', async () => {
    const reason = 'x'.repeat(1_000);
    assert.deepEqual(await validate({ ok: false, reason }), { outcome: 'rejected', reason });
    assert.deepEqual(await validate({ ok: false, retry: false }), { outcome: 'rejected', reason: '' });
    await assert.rejects(validate({ ok: false, reason: `${reason}x` }), { type: 'internal-error' });
  });

  it('asks for a correction of fields of the form', async () => {
    await assert.rejects(validate({ ok: false, retry: true, fields: { age: 'Too young.' } }), {
      type: 'invalid-answers', fields: { age: 'Too young.' },
    });
  });

  for (const result of [
    undefined, true, {}, { ok: 'yes' }, { ok: true, reason: 'x' }, { ok: false, retry: true }, { ok: false, retry: true, fields: {} },
    { ok: false, retry: true, fields: { other: 'x' } }, { ok: false, retry: true, fields: { age: 1 } }, { ok: true, retry: true, fields: { age: 'x' } },
    { ok: false, retry: false, fields: { age: 'x' } },
  ]) {
    it(`is internal-error, with the hook's name in the log, for ${JSON.stringify(result)}`, async () => {
      const expected = 'expected { ok: true }, { ok: false, retry: true, fields } with names of the form\'s fields, or { ok: false, reason }.';
      await assert.rejects(validate(result), (error: Error & { type: string; detail: string }) => {
        assert.equal(error.type, 'internal-error');
        assert.equal(error.detail, 'This site could not check your answers just now. Nothing is lost: please try again.');
        const { message } = error.cause as Error;
        assert.ok(message.startsWith('The hook validation.validate returned ') && message.endsWith(expected), message);
        return true;
      });
    });
  }

  it('calls the service in the partition of the browser', async () => {
    const { hooks, partitions } = create({ validate: async ({ service }) => { await service.request('GET', '/readers'); return { ok: true }; } });
    await hooks.validate(context, 'address');
    assert.deepEqual(partitions, ['address']);
  });
});

describe('SignInHooks.onAccepted', () => {
  it('takes any result, and is not required', async () => {
    await create({}).hooks.onAccepted(context);
    await create({ onAccepted: () => 'anything' as never }).hooks.onAccepted(context);
  });

  it('is internal-error, with the hook\'s name in the log, when it throws', async () => {
    const { hooks } = create({ onAccepted: () => { throw new Error('CRM down'); } });
    await assert.rejects(hooks.onAccepted(context), (error: Error & { type: string; detail: string }) => {
      assert.equal(error.type, 'internal-error');
      assert.equal(error.detail, 'This site could not complete the sign-in just now. Nothing is lost: please try again.');
      assert.equal((error.cause as Error).message, 'The hook validation.onAccepted threw.');
      return true;
    });
  });

  it('calls the service in the partition of the reader', async () => {
    const { hooks, partitions } = create({ onAccepted: async ({ service }) => { await service.request('GET', '/readers'); } });
    await hooks.onAccepted(context);
    assert.deepEqual(partitions, [sha256('user', '7')]);
  });
});
