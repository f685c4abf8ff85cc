/** Random schedules of the outbox, and that the model finds each rule that is taken away. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { table, type Entry } from './entry.ts';
import { findFault } from './_schedules.ts';

const RUNS = Number(process.env['VESTIBULE_SCHEDULES'] ?? 3_000);
const SEED = 2026;

describe('the outbox', () => {
  it('makes one comment of one text, sends nothing late or as somebody else, and loses no text', async () => {
    assert.equal(await findFault(RUNS, SEED), undefined);
  });

  const without: Readonly<Record<string, typeof table>> = {
    'the doubt of an attempt': { ...table, attempt: { sending: (entry, _, now) => ({ ...entry, attempts: entry.attempts + 1, firstSentAt: now }) } },
    'the end after ten minutes': { ...table, expire: { sending: (entry, _, now) => ({ ...entry, pressedAt: now }) } },
    'the end of a stop': { ...table, stop: {} },
    'the same key of a press': {
      ...table, press: { unknown: (entry, { key }, now): Entry => ({ ...entry, key, state: 'sending', pressedAt: now, attempts: 0, nextAt: now }) },
    },
  };
  for (const [rule, rules] of Object.entries(without)) {
    it(`would not without ${rule}`, async () => {
      assert.notEqual(await findFault(30_000, SEED, rules), undefined);
    });
  }
});
