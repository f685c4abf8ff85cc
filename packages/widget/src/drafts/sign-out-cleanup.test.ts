import { expect } from '@open-wc/testing';
import { readSessionHint, writeSessionHint } from '../session/stored-session-hint.ts';
import { Draft } from './draft.ts';
import { addOwnPost } from './own-posts.ts';
import { forgetAccount, hasStoredDrafts, removeExpiredRecords, signedOutAt } from './sign-out-cleanup.ts';

const DAY_MS = 24 * 60 * 60_000;
const bff = new URL('https://bff.example/');
const other = new URL('https://other.example/');

const { now } = Date;
const { removeItem, setItem } = Storage.prototype;
const descriptor = Object.getOwnPropertyDescriptor(window, 'localStorage')!;

afterEach(() => {
  Date.now = now;
  Object.assign(Storage.prototype, { removeItem, setItem });
  Object.defineProperty(window, 'localStorage', descriptor);
  localStorage.clear();
});

function refuseStorage(): void {
  Object.defineProperty(window, 'localStorage', { configurable: true, get() { throw new DOMException('no', 'SecurityError'); } });
}

function draftOf(account: string, { href } = bff): Draft {
  return new Draft({ bff: href, forum: 'news', page: 'https://www.example.com/a', account });
}

function write(account: string, base = bff): void {
  Object.assign(draftOf(account, base), { text: `of ${account}` }).save();
}

/** Accounts whose drafts are stored. */
function left(base = bff): string[] {
  return ['', '42', '43'].filter((account) => draftOf(account, base).text !== '');
}

describe('forgetAccount', () => {
  let time: number;

  beforeEach(() => {
    time = now();
    Date.now = () => time;
    for (const account of ['', '42', '43']) {
      write(account);
      write(account, other);
    }
  });

  it('removes the drafts and own posts of the account at this BFF', () => {
    addOwnPost(draftOf('42'), [], { user: { user_id: '42', username: 'Ada' }, message: 'posted', at: Date.now() });
    forgetAccount(bff, '42');
    expect([left(), left(other)]).to.deep.equal([['', '43'], ['', '42', '43']]);
    expect(Object.keys(localStorage).filter((key) => key.startsWith('vestibule:posts'))).to.deep.equal([]);
  });

  it('removes the account of the session hint if none is given, with the hint and what was written since', () => {
    time += 1;
    writeSessionHint(bff, true, '42');
    for (const base of [bff, other]) write('', base);
    localStorage.setItem(draftOf('').storageKey.replace('draft', 'posts'), JSON.stringify([{ at: time }]));
    forgetAccount(bff, '');
    expect([left(), left(other), readSessionHint(bff)]).to.deep.equal([['43'], ['', '42', '43'], undefined]);
    expect(Object.keys(localStorage).filter((key) => key.startsWith('vestibule:posts'))).to.have.length(1);
  });

  it('leaves what was written before the session of the account', () => {
    time += 1;
    writeSessionHint(bff, true, '42');
    forgetAccount(bff, '42');
    expect(left()).to.deep.equal(['', '43']);
  });

  it('leaves what was written without an account if the hint is of another account', () => {
    writeSessionHint(bff, true, '43');
    write('');
    forgetAccount(bff, '42');
    expect(left()).to.deep.equal(['', '43']);
  });

  it('removes every account without a hint, and leaves what was written signed out', () => {
    forgetAccount(bff, '');
    expect([left(), left(other)]).to.deep.equal([[''], ['', '42', '43']]);
  });

  it('removes no item of the page', () => {
    const removed: string[] = [];
    Storage.prototype.removeItem = function (key) {
      removed.push(String(key));
      removeItem.call(this, key);
    };
    forgetAccount(bff, '42');
    expect(removed.filter((key) => !key.startsWith('vestibule:'))).to.deep.equal([]);
  });

  it('stores the time of the sign-out first', () => {
    let stored: number | undefined;
    Storage.prototype.removeItem = function (key) {
      stored ??= signedOutAt(bff.href);
      removeItem.call(this, key);
    };
    forgetAccount(bff, '42');
    expect(stored).to.equal(time);
  });

  it('stores the time after the removal if storage was full', () => {
    let isFull = true;
    Storage.prototype.setItem = function (key, value) {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
      setItem.call(this, key, value);
    };
    Storage.prototype.removeItem = function (key) {
      isFull = false;
      removeItem.call(this, key);
    };
    forgetAccount(bff, '42');
    expect(signedOutAt(bff.href)).to.equal(time);
  });

  it('stores the time once if storage has room', () => {
    let writes = 0;
    Storage.prototype.setItem = function (key, value) {
      writes += 1;
      setItem.call(this, key, value);
    };
    forgetAccount(bff, '42');
    expect(writes).to.equal(1);
  });

  it('does nothing where storage is refused', () => {
    refuseStorage();
    forgetAccount(bff, '42');
    expect(signedOutAt(bff.href)).to.equal(undefined);
  });
});

describe('signedOutAt', () => {
  it('is undefined before a sign-out, and without a valid time', () => {
    expect(signedOutAt(bff.href)).to.equal(undefined);
    localStorage.setItem(`vestibule:signed-out ${bff.href}`, 'x');
    expect(signedOutAt(bff.href)).to.equal(undefined);
  });

  it('is that of its BFF', () => {
    Date.now = () => 7000;
    forgetAccount(bff, '42');
    expect([signedOutAt(bff.href), signedOutAt(other.href)]).to.deep.equal([7000, undefined]);
  });
});

describe('hasStoredDrafts', () => {
  it('is true for an account with a text or a second text', () => {
    write('43');
    for (const texts of [{ text: 'one' }, { other: 'two' }]) {
      Object.assign(draftOf('42'), { text: '', other: '', ...texts }).save();
      expect(hasStoredDrafts(bff.href, '42')).to.equal(true);
    }
  });

  it('is false for empty drafts, own posts, another account and another BFF', () => {
    draftOf('42').save();
    write('43');
    write('42', other);
    addOwnPost(draftOf('42'), [], { user: { user_id: '42', username: 'Ada' }, message: '"text":"posted', at: Date.now() });
    localStorage.setItem(draftOf('42').storageKey.replace('draft', 'posts'), '[{"text":"posted"}]');
    expect(hasStoredDrafts(bff.href, '42')).to.equal(false);
  });

  it('is false where storage is refused', () => {
    refuseStorage();
    expect(hasStoredDrafts(bff.href, '42')).to.equal(false);
  });
});

describe('removeExpiredRecords', () => {
  const storeRecord = (name: string, record: unknown): void => {
    localStorage.setItem(`vestibule:${name} https://bff.example/ 42 news https://www.example.com/a`, typeof record === 'string' ? record : JSON.stringify(record));
  };

  it('removes drafts after 30 days, own posts after one, and invalid records', () => {
    Date.now = () => 100 * DAY_MS;
    const ago = (days: number): number => Date.now() - days * DAY_MS;
    for (const [index, invalid] of ['{', 'null', '7', '[]', '{}'].entries()) storeRecord(`draft ${index}`, invalid);
    storeRecord('draft old', { text: 'old', updatedAt: ago(30) });
    storeRecord('draft new', { text: 'new', updatedAt: ago(30) + 1 });
    storeRecord('posts old', [{ message: 'old', at: ago(1) }]);
    storeRecord('posts new', [{ message: 'old', at: ago(2) }, { message: 'new', at: ago(1) + 1 }]);
    removeExpiredRecords();
    expect(Object.values({ ...localStorage } as Record<string, string>).map((record) => /new/.test(record))).to.deep.equal([true, true]);
  });

  it('does nothing where storage is refused', () => {
    refuseStorage();
    removeExpiredRecords();
  });
});
