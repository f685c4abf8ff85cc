import { expect } from '@open-wc/testing';
import { Draft } from './draft.ts';
import { addOwnPost, readOwnPosts, type OwnPost } from './own-posts.ts';

const DAY_MS = 24 * 60 * 60_000;
const user = { user_id: '42', username: 'Ada' };
const { now } = Date;
const { setItem } = Storage.prototype;

let draft: Draft;

beforeEach(() => {
  Date.now = () => 40 * DAY_MS;
  draft = new Draft({ bff: 'https://bff.example/', forum: 'news', page: 'https://www.example.com/a', account: '42' });
});

afterEach(() => {
  Date.now = now;
  Storage.prototype.setItem = setItem;
  localStorage.clear();
});

function postOf(message: string, at = Date.now()): OwnPost {
  return { user, message, at };
}

describe('addOwnPost', () => {
  it('adds to the posts of the page and account, beside the draft', () => {
    Object.assign(draft, { text: 'draft' }).save();
    addOwnPost(draft, [], postOf('first'));
    expect(addOwnPost(draft, [], postOf('second'))).to.deep.equal([postOf('first'), postOf('second')]);
    expect(readOwnPosts(draft)).to.deep.equal([postOf('first'), postOf('second')]);
    expect(readOwnPosts(new Draft({ ...draft.key, account: '43' }))).to.deep.equal([]);
    expect(new Draft(draft.key).text).to.equal('draft');
  });

  it('adds to the posts that are shown where none can be stored', () => {
    Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
    expect(addOwnPost(draft, [postOf('first')], postOf('second'))).to.deep.equal([postOf('first'), postOf('second')]);
  });

  it('takes the stored posts before those that are shown', () => {
    addOwnPost(draft, [], postOf('of another tab'));
    expect(addOwnPost(draft, [postOf('shown')], postOf('new'))).to.deep.equal([postOf('of another tab'), postOf('new')]);
  });
});

describe('readOwnPosts', () => {
  it('omits posts that are a day old, and invalid ones', () => {
    addOwnPost(draft, [
      postOf('old', Date.now() - DAY_MS), { ...postOf('nameless'), user: { ...user, username: '' } }, { ...postOf(''), message: 7 as never },
    ], postOf('new', Date.now() - DAY_MS + 1));
    expect(readOwnPosts(draft).map(({ message }) => message)).to.deep.equal(['new']);
  });

  it('is empty without a valid record', () => {
    const storageKey = draft.storageKey.replace('draft', 'posts');
    expect(readOwnPosts(draft)).to.deep.equal([]);
    for (const record of ['{', '{}']) {
      localStorage.setItem(storageKey, record);
      expect(readOwnPosts(draft)).to.deep.equal([]);
    }
  });
});
