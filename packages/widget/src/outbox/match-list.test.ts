/** Which listed comments are entries of the outbox: each rule, at its limits. */

import { expect } from '@open-wc/testing';
import type { ListedPost } from '@vestibule/shared';
import { matchList } from './match-list.ts';
import type { OutboxEntry } from './outbox-entry.ts';

const MINUTE_MS = 60_000;
const AT = 1_800_000_000_000;

const base = {
  bff: 'https://bff.example/', account: '42', forum: 'news', article: 'https://www.example.com/', id: 'one', address: 'https://www.example.com/',
  text: 'A text', parent: 'p', user: { user_id: '42', username: 'Ada', key: 'a' }, key: 'key', pressedAt: AT, firstSentAt: AT,
  signOut: '',
};
const unsure: OutboxEntry = { ...base, state: 'unsure', unsureSince: AT };
const posted: OutboxEntry = { ...base, state: 'posted', postedAt: AT, postId: '7' };
const held: OutboxEntry = { ...posted, listed: { state: 'pending' } };

const comment: ListedPost = {
  id: '1', author: { username: 'Ada', key: 'a' }, message: 'A text', parent_id: 'p', created_at: new Date(AT).toISOString(),
};

const match = (entries: readonly OutboxEntry[], posts: readonly ListedPost[], readAt = AT): object => (
  Object.fromEntries(matchList(entries, posts, readAt))
);

describe('matchList', () => {
  it('finds no comment of an entry whose outcome is open', () => {
    const waiting: OutboxEntry = { ...base, state: 'waiting', sender: '', attempt: 1 };
    const out: OutboxEntry = { ...base, state: 'out', sender: '', attempt: 1 };
    for (const entry of [out, waiting, unsure]) expect(match([entry], [comment]), entry.state).to.deep.equal({});
  });

  it('finds a posted entry by its id, whatever else the list says of it', () => {
    expect(match([posted], [{ ...comment, id: '7', message: 'Edited', author: { username: 'B' } }])).to.deep.equal({ one: '7' });
    expect(match([posted], [comment])).to.deep.equal({});
  });

  it('ends a posted entry with a list that is ten minutes younger', () => {
    expect(match([posted], [], AT + 10 * MINUTE_MS - 1)).to.deep.equal({});
    expect(match([posted], [], AT + 10 * MINUTE_MS)).to.deep.equal({ one: undefined });
    expect(match([unsure], [], AT + 10 * MINUTE_MS)).to.deep.equal({});
  });

  it('never ends one that is held, before a list has it', () => {
    expect(match([held], [], AT + 24 * 60 * MINUTE_MS)).to.deep.equal({});
    expect(match([held], [{ ...comment, id: '7' }])).to.deep.equal({ one: '7' });
  });
});
