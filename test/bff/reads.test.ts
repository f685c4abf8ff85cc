/** What only asks changes nothing: `GET /session` is the commonest request, and a write waits for the disk. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startBff } from './_bff.ts';

describe('GET /session', () => {
  it('writes nothing to the store where no notice waits', async () => {
    await using bff = await startBff();
    const browser = bff.browser();
    await browser.signIn();
    const before = await writesOf(bff.vestibule);
    for (let i = 0; i < 5; i += 1) assert.equal((await browser.session()).state, 'signed-in');
    assert.equal((await bff.browser().session()).state, 'anonymous');
    assert.deepEqual(await writesOf(bff.vestibule), before);
  });
});

/** Operations of the store that write, by name and number. */
async function writesOf(vestibule: { metrics(): Promise<string> }): Promise<readonly string[]> {
  const counts = /^vestibule_store_operation_duration_seconds_count\{operation="(?:set|setIfAbsent|replace|touch|take|delete)".*$/gm;
  return (await vestibule.metrics()).match(counts) ?? [];
}
