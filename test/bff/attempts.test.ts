/** Concurrent attempts of the standard variant in one browser. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setCookies, startBff, type Browser } from './_bff.ts';

const ATTEMPT = /^(vestibule-attempt-[\w-]{8})=/;

/** Starts an attempt. @returns names of the cookies that were set and cleared */
async function begin(browser: Browser): Promise<{ set: readonly string[]; cleared: readonly string[] }> {
  return attemptsIn(setCookies(await browser.authorize('forum=news&return_to=https://www.example.com/')));
}

function attemptsIn(lines: readonly string[]): { set: readonly string[]; cleared: readonly string[] } {
  const named = (wanted: boolean) => lines.filter((line) => line.includes('Expires=Thu, 01 Jan 1970') === wanted)
    .flatMap((line) => ATTEMPT.exec(line)?.[1] ?? []);
  return { set: named(false), cleared: named(true) };
}

describe('attempts of one browser', () => {
  it('are five at most: a further one replaces the oldest', async () => {
    await using bff = await startBff({ allowedOrigins: ['https://www.example.com'] });
    const browser = bff.browser();
    const begun: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { set, cleared } = await begin(browser);
      assert.deepEqual([set.length, cleared], [1, []]);
      begun.push(...set);
    }
    assert.deepEqual((await begin(browser)).cleared, begun.slice(0, 1));
    assert.deepEqual((await begin(browser)).cleared, begun.slice(1, 2));
  });

  it('end with the session', async () => {
    await using bff = await startBff({ allowedOrigins: ['https://www.example.com'] });
    const browser = bff.browser();
    const begun = [...(await begin(browser)).set, ...(await begin(browser)).set];
    const { set, cleared } = attemptsIn(setCookies(await browser.delete('/session')));
    assert.deepEqual([set, cleared.toSorted()], [[], begun.toSorted()]);
  });
});
