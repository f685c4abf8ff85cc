import { expect } from '@open-wc/testing';
import { Draft } from './draft.ts';
import { claimUnownedDrafts, moveDraft } from './draft-owner.ts';

const bff = new URL('https://bff.example/');
const now = performance.timeOrigin;
const { setItem } = Storage.prototype;

afterEach(() => {
  Storage.prototype.setItem = setItem;
  localStorage.clear();
});

function draftOf(account: string, { href } = bff, page = 'https://www.example.com/a'): Draft {
  return new Draft({ bff: href, forum: 'news', page, account });
}

/** Stores a text that was written `ms` before this page was opened. */
function store(draft: Draft, texts: Partial<Record<'text' | 'other', string>>, ms: number): void {
  localStorage.setItem(draft.storageKey, JSON.stringify({ text: '', other: '', ...texts, updatedAt: now - ms }));
}

function signIn(account: string | undefined, ms: number): void {
  localStorage.setItem(`vestibule:session ${bff.href}`, JSON.stringify({ account, since: now - ms }));
}

describe('claimUnownedDrafts', () => {
  const texts = (...accounts: string[]): string[] => accounts.map((account) => draftOf(account).text);

  it('moves a text that was written during the session, on every page', () => {
    signIn('42', 10);
    store(draftOf(''), { text: 'written' }, 10);
    store(draftOf('', bff, 'https://www.example.com/b'), { other: 'second' }, 1);
    claimUnownedDrafts(bff);
    expect(texts('', '42')).to.deep.equal(['', 'written']);
    expect(draftOf('42', bff, 'https://www.example.com/b').other).to.equal('second');
    expect(draftOf('', bff, 'https://www.example.com/b').other).to.equal('');
  });

  it('leaves a text that is older than the session, or written in this page', () => {
    signIn('42', 10);
    for (const ms of [11, 0, -1]) {
      store(draftOf(''), { text: 'written' }, ms);
      claimUnownedDrafts(bff);
      expect(texts('', '42'), String(ms)).to.deep.equal(['written', '']);
    }
  });

  it('leaves texts of other accounts and BFFs', () => {
    const other = new URL('https://other.example/');
    signIn('42', 10);
    store(draftOf('43'), { text: 'of Bo' }, 5);
    store(draftOf('', other), { text: 'elsewhere' }, 5);
    claimUnownedDrafts(bff);
    expect([...texts('42', '43'), draftOf('', other).text, draftOf('42', other).text]).to.deep.equal(['', 'of Bo', 'elsewhere', '']);
  });

  it('does nothing without an account', () => {
    for (const account of [undefined, '']) {
      signIn(account, 10);
      store(draftOf(''), { text: 'written' }, 5);
      claimUnownedDrafts(bff);
      expect(texts('')).to.deep.equal(['written']);
    }
    localStorage.clear();
    claimUnownedDrafts(bff);
  });

  it('stores no empty draft', () => {
    signIn('42', 10);
    store(draftOf(''), {}, 5);
    claimUnownedDrafts(bff);
    expect(localStorage.getItem(draftOf('42').storageKey)).to.equal(null);
  });

  it('does nothing where storage is refused', () => {
    signIn('42', 10);
    store(draftOf(''), { text: 'written' }, 5);
    const { keys } = Object;
    Object.keys = () => { throw new DOMException('no', 'SecurityError'); };
    try {
      claimUnownedDrafts(bff);
    } finally {
      Object.keys = keys;
    }
    expect(texts('')).to.deep.equal(['written']);
  });
});

describe('moveDraft', () => {
  it('offers the texts of the target beside its own', () => {
    const [from, to] = [draftOf(''), draftOf('42')];
    Object.assign(from, { text: 'one', other: 'two' }).save();
    Object.assign(to, { text: 'three', other: 'four' }).save();
    moveDraft(from, to);
    expect(draftOf('42')).to.deep.include({ text: 'one', other: 'two\n\nthree\n\nfour' });
    expect(draftOf('')).to.deep.include({ text: '', other: '' });
  });

  it('keeps the text of the target if there is only a second text to move', () => {
    const [from, to] = [draftOf(''), draftOf('42')];
    from.other = 'two';
    to.text = 'three';
    moveDraft(from, to);
    expect(to).to.deep.include({ text: 'three', other: 'two' });
  });

  it('moves the texts where storage has room for them only once', () => {
    const [from, to] = [draftOf(''), draftOf('42')];
    Object.assign(from, { text: 'one'.repeat(100) }).save();
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function set(key, value) {
      const others = Object.entries(localStorage).filter(([name]) => name !== key).map(([, stored]) => String(stored));
      if (value.length + others.join('').length > 600) throw new DOMException('full', 'QuotaExceededError');
      setItem.call(this, key, value);
    };
    moveDraft(from, to);
    expect([draftOf('').text, draftOf('42').text]).to.deep.equal(['', 'one'.repeat(100)]);
  });

  it('keeps what another tab has added to the source meanwhile, if storage has no room', () => {
    const [from, to] = [draftOf(''), draftOf('42')];
    Object.assign(from, { text: 'one' }).save();
    Object.assign(draftOf(''), { text: 'two' }).save();
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function set(key, value) {
      if (key === to.storageKey) throw new DOMException('full', 'QuotaExceededError');
      setItem.call(this, key, value);
    };
    moveDraft(from, to);
    expect(draftOf('')).to.deep.include({ text: 'one', other: 'two' });
  });

  it('keeps the source as well if storage has no room', () => {
    const [from, to] = [draftOf(''), draftOf('42')];
    Object.assign(from, { text: 'one', other: 'two' }).save();
    Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
    moveDraft(from, to);
    for (const draft of [from, to, draftOf('')]) expect(draft).to.deep.include({ text: 'one', other: 'two' });
  });
});
