import { expect } from '@open-wc/testing';
import type { ListedPost } from '@vestibule/shared';
import type { OwnPost } from '../../drafts/own-posts.ts';
import { append, refresh, toListed, unlistedPosts } from './thread-state.ts';

const at = Date.parse('2026-06-09T20:00:00Z');

const listed = (id: string, message = `post ${id}`, more: Partial<ListedPost> = {}): ListedPost => (
  { id, author: { username: 'Ada' }, message, created_at: '2026-06-09T20:00:00Z', ...more }
);
const own = (message: string, more: Partial<OwnPost> = {}): OwnPost => ({ user: { user_id: '42', username: 'Ada' }, message, at, ...more });
const ids = (posts: readonly ListedPost[]): string => posts.map(({ id }) => id).join(' ');

describe('append', () => {
  it('adds the next list, and no post twice', () => {
    const first = toListed({ posts: [listed('5'), listed('4')], next_cursor: '4' });
    const all = append(first, { posts: [listed('4'), listed('3'), listed('2')], next_cursor: '2' }, (id) => id === '3');
    expect(ids(all.posts)).to.equal('5 4 2');
    expect(all.nextCursor).to.equal('2');
    expect(append(all, { posts: [listed('1')] }, () => false).nextCursor).to.equal(undefined);
  });
});

describe('refresh', () => {
  const first = toListed({ posts: [listed('4'), listed('3')], next_cursor: '3' });
  const two = append(first, { posts: [listed('2'), listed('1')], next_cursor: '1' }, () => false);

  it('replaces the only list', () => {
    const fresh = refresh(first, { posts: [listed('5'), listed('4')], next_cursor: '4' });
    expect(ids(fresh.posts)).to.equal('5 4 3');
    expect(ids(refresh(first, { posts: [listed('4')] }).posts)).to.equal('4');
  });

  it('keeps the later lists and their cursor', () => {
    const fresh = refresh(two, { posts: [listed('5'), listed('4')], next_cursor: '4' });
    expect([ids(fresh.posts), fresh.nextCursor]).to.deep.equal(['5 4 3 2 1', '1']);
  });

  it('starts over if nothing connects the lists', () => {
    const fresh = refresh(two, { posts: [listed('9'), listed('8')], next_cursor: '8' });
    expect([ids(fresh.posts), fresh.nextCursor]).to.deep.equal(['9 8', '8']);
  });
});

describe('unlistedPosts', () => {
  const messages = (...args: Parameters<typeof unlistedPosts>): string[] => unlistedPosts(...args).map(({ message }) => message);

  it('are the newest first, and without those that are listed under their id', () => {
    expect(messages([own('a', { id: '1' }), own('b', { id: '2' }), own('c')], [listed('1', 'another text')], [])).to.deep.equal(['c', 'b']);
  });

  it('are without those that are listed under another id, by author and text, whatever their white space', () => {
    expect(messages([own('a\r\nb', { id: '7' })], [listed('row 1', 'a\nb')], [])).to.deep.equal([]);
    expect(messages([own('a')], [listed('1', 'a', { author: { username: 'Bob' } })], [])).to.deep.equal(['a']);
  });

  it('counts a post once: two of the same text need two listed ones', () => {
    const twice = [own('First!', { at }), own('First!', { at: at + 1000 })];
    expect(messages(twice, [listed('1', 'First!')], [])).to.deep.equal(['First!']);
    expect(messages(twice, [listed('1', 'First!'), listed('2', 'First!')], [])).to.deep.equal([]);
    expect(messages([own('First!', { id: '1' }), own('First!', { id: '2' })], [listed('1', 'First!')], [])).to.deep.equal(['First!']);
  });

  it('does not take an older post of the same text for the new one', () => {
    expect(messages([own('First!')], [listed('1', 'First!', { created_at: '2026-06-08T20:00:00Z' })], [])).to.deep.equal(['First!']);
    expect(messages([own('First!')], [listed('1', 'First!', { created_at: '2026-06-09T19:55:00Z' })], [])).to.deep.equal([]);
  });

  it('are without those that the page has rendered', () => {
    expect(messages([own('a b'), own('c', { id: '7' })], [], [{ id: '1', text: 'Ada\n yesterday\na\n b' }, { id: '7', text: '' }])).to.deep.equal([]);
  });
});
