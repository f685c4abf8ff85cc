/** What becomes of a draft when it is sent, and when its reader signs in or is signed out. */

import type { Draft } from './draft.ts';

/** The `Idempotency-Key` for posting `text`: the one that it was sent with before, in this tab or in another, else a
 *  new one. It is in storage before this returns. */
export function claimKey(draft: Draft, text: string): { key: string; isNew: boolean } {
  const { key: own } = draft;
  draft.read();
  const known = (draft.text === text ? draft.key : undefined) ?? own;
  const key = known ?? newKey();
  draft.text = text;
  draft.key = key;
  draft.save();
  return { key, isNew: known === undefined };
}

/** Forgets the key after an answer that settles what became of the request: the next one is another. */
export function dropKey(draft: Draft): void {
  draft.key = undefined;
  draft.save();
}

/** Empties the draft after `text` was posted. What another tab has written in the meantime stays in storage. */
export function clearDraft(draft: Draft, text: string): void {
  draft.read();
  const isOther = draft.text !== text;
  draft.text = '';
  draft.key = undefined;
  if (!isOther) draft.save();
}

/** Hands what was written signed out over to `account`. Where the account has a draft of its own here, both stay. */
export function adoptDraft(draft: Draft, account: string): void {
  const { text, key, owner } = takeDraft(draft, account);
  if (!text || text === draft.text) return;
  draft.key = !draft.text && owner === account ? key : undefined;
  draft.text = draft.text ? `${draft.text}\n\n${text}` : text;
  draft.save();
}

/** Leaves the text with a reader whose session has ended without their doing. */
export function releaseDraft(draft: Draft): void {
  const { account } = draft;
  const { text, key } = takeDraft(draft, '');
  if (!text) return;
  draft.text = text;
  draft.key = key;
  draft.owner = key && account;
  draft.save();
}

/** Takes the draft from one account and turns to another's. */
function takeDraft(draft: Draft, account: string): Pick<Draft, 'text' | 'key' | 'owner'> {
  const { text, key, owner } = draft;
  draft.text = '';
  draft.save();
  draft.account = account;
  return { text, key, owner };
}

/** 32 hexadecimal digits. `crypto.randomUUID` is kept from pages without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
