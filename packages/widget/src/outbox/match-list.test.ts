/** Which listed comments are entries of the outbox: each rule, at its limits. */

import { expect } from '@open-wc/testing';
import type { ListedPost } from '@vestibule/shared';
import { matchList } from './match-list.ts';
import type { OutboxEntry } from './outbox-entry.ts';

const MINUTE_MS = 60_000;
/** The press, by this browser's clock; that of the BFF is an hour ahead. */
const AT = 1_800_000_000_000;
const NOT_BEFORE = AT + 60 * MINUTE_MS + 400;

const base = {
  bff: 'https://bff.example/', account: '42', forum: 'news', article: 'https://www.example.com/', id: 'one', address: 'https://www.example.com/',
  text: 'A text', parent: 'p', user: { user_id: '42', username: 'Ada', key: 'a' }, key: 'key', pressedAt: AT, firstSentAt: AT, notBefore: NOT_BEFORE,
  signOut: '',
};
const unsure: OutboxEntry = { ...base, state: 'unsure', unsureSince: AT };
const posted: OutboxEntry = { ...base, state: 'posted', postedAt: AT, postId: '7' };
const held: OutboxEntry = { ...posted, listed: { state: 'pending' } };

const comment: ListedPost = {
  id: '1', author: { username: 'Ada', key: 'a' }, message: 'A text', parent_id: 'p', created_at: new Date(NOT_BEFORE).toISOString(),
};
const at = (ms: number): Pick<ListedPost, 'created_at'> => ({ created_at: new Date(ms).toISOString() });

const match = (entries: readonly OutboxEntry[], posts: readonly ListedPost[], readAt = AT): object => (
  Object.fromEntries(matchList(entries, posts, readAt))
);

describe('matchList', () => {
  it('finds the comment of an entry whose outcome is open', () => {
    const waiting: OutboxEntry = { ...base, state: 'waiting', sender: '', attempt: 1 };
    const out: OutboxEntry = { ...base, state: 'out', sender: '', attempt: 1 };
    for (const entry of [out, waiting, unsure]) expect(match([entry], [comment]), entry.state).to.deep.equal({ one: '1' });
  });

  const others: Readonly<Record<string, readonly [OutboxEntry, ListedPost]>> = {
    'a comment of another reader': [unsure, { ...comment, author: { username: 'Ada', key: 'b' } }],
    'a comment without a reader': [unsure, { ...comment, author: { username: 'Ada' } }],
    'anybody’s comment for a reader who is not proven': [
      { ...unsure, user: { user_id: '42', username: 'Ada' } }, { ...comment, author: { username: 'Ada' } },
    ],
    'a comment for an entry without a measure': [{ ...unsure, notBefore: undefined }, comment],
    'a comment that is a second older than the press': [unsure, { ...comment, ...at(NOT_BEFORE - 1_000) }],
    'a comment for an entry that is not posted': [{ ...base, state: 'failed' }, comment],
    'a comment with another parent': [unsure, { ...comment, parent_id: 'q' }],
    'a comment without its parent': [unsure, { ...comment, parent_id: undefined }],
    'a reply for an entry without a parent': [{ ...unsure, parent: undefined }, comment],
    'a comment with another text': [unsure, { ...comment, message: 'Another text' }],
    'a comment with other words between the spaces': [unsure, { ...comment, message: 'Atext' }],
  };
  for (const [name, [entry, post]] of Object.entries(others)) {
    it(`does not take ${name}`, () => expect(match([entry], [post])).to.deep.equal({}));
  }

  it('compares whole seconds', () => {
    expect(match([unsure], [{ ...comment, ...at(NOT_BEFORE - 400) }])).to.deep.equal({ one: '1' });
    expect(match([unsure], [{ ...comment, ...at(NOT_BEFORE - 401) }])).to.deep.equal({});
  });

  it('compares texts without white space at their ends, its kind and its amount, and in one form of Unicode', () => {
    const entry = { ...unsure, text: ' Caf\u00E9  \r\nau lait\n' };
    expect(match([entry], [{ ...comment, message: 'Cafe\u0301\nau\tlait' }])).to.deep.equal({ one: '1' });
  });

  it('gives one comment to one entry, the first comment to the first press', () => {
    const second = { ...unsure, id: 'two', pressedAt: AT + 1 };
    const later = { ...comment, id: '2', ...at(NOT_BEFORE + 5_000) };
    expect(match([unsure, second], [comment])).to.deep.equal({ one: '1' });
    expect(match([unsure, second], [later, comment])).to.deep.equal({ one: '1', two: '2' });
  });

  it('gives no comment that another entry has', () => {
    expect(match([unsure, { ...posted, id: 'two', postId: '1' }], [comment])).to.deep.equal({ two: '1' });
    const listed = { id: '1', author: { username: 'Ada' }, message: 'A text', created_at: comment.created_at, state: 'published' } as const;
    expect(match([unsure, { ...posted, id: 'two', listed }], [comment])).to.deep.equal({ two: '1' });
  });

  it('finds a posted entry by its id, whatever else the list says of it', () => {
    expect(match([posted], [{ ...comment, id: '7', message: 'Edited', author: { username: 'B' }, ...at(0) }])).to.deep.equal({ one: '7' });
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
