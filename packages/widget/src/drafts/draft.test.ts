import { expect } from '@open-wc/testing';
import { Draft } from './draft.ts';

const key = { bff: 'https://bff.example/', forum: 'news', page: 'https://www.example.com/a', account: '' };

afterEach(() => localStorage.clear());

describe('Draft', () => {
  it('keeps the second text and the idempotency key that another tab has stored in the meantime', () => {
    const [draft, rival] = [new Draft(key), new Draft(key)];
    Object.assign(rival, { text: 'of the rival', other: 'the third', idempotencyKey: 'key-of-the-rival' }).save();
    draft.text = 'own';
    draft.save();
    expect(new Draft(key)).to.deep.include({ text: 'own', other: 'of the rival\n\nthe third', idempotencyKey: 'key-of-the-rival' });
  });

  it('does not offer its own earlier text after the browser has refused to store a later one', () => {
    const draft = new Draft(key);
    draft.text = 'first';
    draft.save();
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
    try {
      draft.text = 'second';
      expect(draft.save()).to.equal(false);
    } finally {
      Storage.prototype.setItem = setItem;
    }
    draft.text = 'third';
    expect(draft.save()).to.equal(true);
    expect(draft.other).to.equal('');
  });
});
