import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ProblemError } from '../../packages/bff/src/http/problem-error.ts';
import { parseReturnQuery } from '../../packages/bff/src/sync/sync-return.ts';
import { Random } from './_random.ts';
import { readReturnQuery } from './_second-return-query.ts';
import { shareOf } from './_share.ts';

const CASES = shareOf(300_000);

const names = ['code', 'username', 'user_id', 'audiencesync_uri'];
const others = ['error', 'success', 'state', 'Code', 'code[]', 'code ', '', '__proto__', ...names];

describe('parseReturnQuery', () => {
  it(`reads what a second implementation reads in ${CASES} generated cases`, () => {
    const random = new Random(4);
    const kinds = new Map<string, number>();
    for (let i = 0; i < CASES; i += 1) {
      const query = queryOf(random);
      const read = parsed(query);
      if (!isDeepStrictEqual(read, readReturnQuery(query))) assert.fail(`case ${i}: ${JSON.stringify(query)}`);
      const kind = typeof read === 'object' ? read.kind : String(read);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    assert.deepEqual([...kinds.keys()].toSorted(), ['already-granted', 'declined', 'granted', 'refused', 'undefined']);
  });
});

function parsed(query: string): ReturnType<typeof readReturnQuery> {
  try {
    return parseReturnQuery(new URLSearchParams(query));
  } catch (error) {
    if (error instanceof ProblemError && error.type === 'invalid-request') return 'refused';
    throw error;
  }
}

function queryOf(random: Random): string {
  const pairs = names.filter(() => random.chance(0.9)).map((name) => [name, valueOf(random)]);
  if (random.chance(0.4)) pairs.push(...random.times(2, () => [random.of(others), random.chance(0.5) ? '1' : valueOf(random)]));
  if (random.chance(0.15)) pairs.splice(0, random.below(5));
  return pairs.map(([name = '', value = '']) => `${encoded(random, name)}=${encoded(random, value)}`).join(random.of(['&', '&', '&', '&&']));
}

function valueOf(random: Random): string {
  if (random.chance(0.02)) return 'x'.repeat(random.of([255, 256, 2048, 2049, 4096, 4097]));
  return random.text(12);
}

/** As a careful sender writes it, a sloppy one, or a broken one; ASCII, as a request line holds it. */
function encoded(random: Random, text: string): string {
  const careful = encodeURIComponent(text);
  if (random.chance(0.7)) return careful;
  if (random.chance(0.5)) return careful.replaceAll('%20', '+').toLowerCase();
  return text.replace(/[^!-~]|[&#]/g, '') + random.of(['', '%', '%4', '%zz', '%ff', '%c3%28', '%00', '%F0%9F%A6']);
}
