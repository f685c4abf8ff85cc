import { expect } from '@open-wc/testing';
import { Draft } from './draft.ts';
import { addOwnPost } from './own-posts.ts';
import { recordTime, storedRecords } from './stored-records.ts';

const bff = 'https://bff.example/';
const ofAda = { bff, forum: 'news', page: 'https://www.example.com/a', account: '4 2' };

afterEach(() => localStorage.clear());

describe('storedRecords', () => {
  it('lists drafts and own posts with their BFF and account', () => {
    const draft = new Draft(ofAda);
    draft.save();
    addOwnPost(draft, [], { user: { user_id: '4 2', username: 'Ada' }, message: 'posted', at: 1 });
    new Draft({ ...ofAda, account: '' }).save();
    expect(storedRecords().map(({ kind, bff: url, account }) => [kind, url, account])).to.have.deep.members([
      ['draft', bff, '4 2'], ['posts', bff, '4 2'], ['draft', bff, ''],
    ]);
    expect(storedRecords().map((record) => record.key)).to.have.members(Object.keys(localStorage));
  });

  it('has the key of the draft, with empty parts and spaces in the forum too', () => {
    const keys = [
      { bff, forum: 'news', page: 'https://www.example.com/a?b=c%20d', account: '' },
      { bff, forum: '', page: 'https://www.example.com/', account: '42' },
      { bff, forum: 'two words', page: 'https://www.example.com/', account: 'a b/ü %' },
    ];
    for (const one of keys) new Draft(one).save();
    expect(storedRecords()).to.have.deep.members(keys.map((one) => ({ ...one, kind: 'draft', key: new Draft(one).storageKey })));
  });

  it('omits other keys', () => {
    const key = 'vestibule:draft https://bff.example/ 42 news https://www.example.com/a';
    for (const name of [key.replace('draft', 'other'), `my ${key}`, `${key}\tb`, 'vestibule:draft https://bff.example/', 'vestibule:session https://bff.example/']) {
      localStorage.setItem(name, '{}');
    }
    expect(storedRecords()).to.deep.equal([]);
  });
});

describe('recordTime', () => {
  it('is that of the last write of a draft, and of the last post', () => {
    localStorage.setItem('draft', '{"updatedAt":7}');
    localStorage.setItem('posts', '[{"at":1},{"at":2},{"at":3}]');
    expect([recordTime('draft'), recordTime('posts')]).to.deep.equal([7, 3]);
  });

  it('is NaN for an invalid record', () => {
    for (const record of ['{', 'null', '7', '[]', '{}', '[null]']) {
      localStorage.setItem('record', record);
      expect(recordTime('record'), record).to.deep.equal(NaN);
    }
    expect(recordTime('absent')).to.deep.equal(NaN);
  });
});
