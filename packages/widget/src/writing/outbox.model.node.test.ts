/** Random schedules of the outbox, and that the model finds each rule that is taken away. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { table, type Entry } from './entry.ts';
import { findFault, type Without } from './_schedules.ts';

const RUNS = Number(process.env['VESTIBULE_SCHEDULES'] ?? 3_000);
const SEED = 2026;

describe('the outbox', () => {
  it('makes one comment of one text, sends nothing late or as somebody else, and loses no text', async () => {
    assert.equal(await findFault(RUNS, SEED), undefined);
  });

  const rules: Readonly<Record<string, Without>> = {
    'the doubt of an attempt': {
      rules: { ...table, attempt: { sending: (entry, _, now) => ({ ...entry, attempts: 1, firstSentAt: now }) } },
    },
    'the end after ten minutes': { rules: { ...table, expire: { sending: (entry, _, now) => ({ ...entry, pressedAt: now }) } } },
    'the end of a stop': { rules: { ...table, stop: {} } },
    'the same key of a press': { rules: {
      ...table, press: { unknown: (entry, { key }, now): Entry => ({ ...entry, key, state: 'sending', pressedAt: now, attempts: 0, nextAt: now }) },
    } },
    'the key of a draft': { draftKeys: true },
    'the look for sign-outs': { signOuts: true },
  };
  for (const [rule, without] of Object.entries(rules)) {
    it(`would not without ${rule}`, async () => {
      assert.notEqual(await findFault(30_000, SEED, without), undefined);
    });
  }
});
