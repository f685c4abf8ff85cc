/**
 * The outbox between the moments: random schedules of two tabs with two articles and two accounts. After each step:
 * 1. a text that was written once makes at most one comment, however many tabs press; one more only by “Post again” with a key
 *    that is spent or forgotten;
 * 2. no request leaves unless its text was pressed within ten minutes, for this account; one document sends at a time;
 * 3. after a confirmed sign-out nothing of the account that is not public is on a screen or in storage; no account sees
 *    another's;
 * 4. a text that a press took and that is not posted is an entry in one state, at its article; `failed` means that nothing was
 *    done, `unsure` that something may have been; a comment stands for one entry;
 * 5. each end of a press is said once at its article, a failure elsewhere in the document if no box of its article is there. At
 *    the end nothing is on its way any more.
 */

import { runSchedules } from './_outbox-schedules.ts';

const { isLong } = globalThis as unknown as { readonly isLong: boolean };
/** The same schedules each time: a failure is a change of the code. Another seed explores others. */
const seed = 1;

describe('the outbox, in two tabs and over days', () => {
  it('makes one comment of a text, nothing by itself, leaves nothing behind, loses nothing, and says each end once', async () => {
    const { fault } = await runSchedules(isLong ? 3_000 : 600, seed);
    if (fault) throw new Error(fault);
  }).timeout(600_000);
});
