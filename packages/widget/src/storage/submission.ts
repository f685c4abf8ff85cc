/** The verbs of a draft that is posted: `claim` before a request, `settle` after it. Each is one write. */

import type { Draft, Submission } from './draft.ts';

/** How long the BFF remembers a key: the default of `VESTIBULE_IDEMPOTENCY_SECONDS`. A key that a BFF has forgotten earlier
 *  counts there as a new one. */
const KEY_MS = 24 * 60 * 60_000;

export type Press = Pick<Submission, 'key' | 'text' | 'pressedAt'>;

/** What a response says of its request. `nothing`: not carried out. `refused`: no request with the key was. `unknown`: it may
 *  have been. `spent`: the same, and the BFF carries out no other one with the key. */
export type RequestOutcome = 'posted' | 'nothing' | 'refused' | 'unknown' | 'spent';

/** Stores that a request with the text leaves now. Returns its key: that of an earlier request while the BFF remembers it. */
export function claim(draft: Draft, { text, key, pressedAt }: Press, isRepeated = false): string {
  const { submission: earlier } = draft;
  const sentAt = Date.now();
  const unsureSince = earlier?.unsureSince ?? earlier?.sentAt;
  const isRemembered = Boolean(earlier?.key) && unsureSince !== undefined && sentAt - unsureSince < KEY_MS;
  const submission: Submission = {
    text, pressedAt, sentAt,
    ...(isRemembered ? { key: earlier!.key, unsureSince } : { key }),
    ...(isRepeated && { isRepeated }),
  };
  draft.change({ text, submission, isNotPosted: false });
  return submission.key;
}

/** Stores what came of the request `of`. A newer text of the reader or of another tab stays. */
export function settle(
  draft: Draft, outcome: RequestOutcome, of: Pick<Submission, 'key' | 'text'> | undefined = draft.submission,
): void {
  // A sign-out has removed the record: it is not stored again.
  const isStored = draft.follow();
  const { submission: sent, text } = draft;
  // Another tab has settled it, or sends another text with the key.
  if (!sent || sent.key !== of?.key || sent.text !== of.text) return;
  const { sentAt, ...rest } = sent;
  // A request that was not carried out leaves an earlier one in doubt.
  const isUnsure = outcome === 'unknown' || outcome === 'spent' || (outcome === 'nothing' && sent.unsureSince !== undefined);
  const unsure: Submission = { ...rest, unsureSince: rest.unsureSince ?? sentAt, ...(outcome === 'spent' && { key: '' }) };
  const isPostedText = outcome === 'posted' && (text === sent.text || !text.trim());
  draft.change({
    text: isPostedText ? '' : text,
    submission: isUnsure ? unsure : undefined,
    isNotPosted: !isUnsure && outcome !== 'posted',
  }, isStored);
}
