import { expect } from '@open-wc/testing';
import { Draft, type DraftKey } from './draft.ts';

const key = { bff: 'https://bff.example/', forum: 'news', page: 'https://www.example.com/a', account: '' };
const LIFETIME_MS = 30 * 24 * 60 * 60_000;

const { now } = Date;
const { setItem } = Storage.prototype;

afterEach(() => {
  Date.now = now;
  Storage.prototype.setItem = setItem;
  localStorage.clear();
});

function store(record: unknown): void {
  localStorage.setItem(new Draft(key).storageKey, typeof record === 'string' ? record : JSON.stringify(record));
}

function draftOf(text: string, other = ''): Draft {
  return Object.assign(new Draft(key), { text, other });
}

describe('Draft', () => {
  it('belongs to one page, forum, BFF and account', () => {
    const keys: DraftKey[] = [
      key, { ...key, bff: 'https://other.example/' }, { ...key, forum: 'sports' }, { ...key, page: 'https://www.example.com/b' },
      { ...key, account: '42' }, { ...key, account: '42 news' },
    ];
    for (const [index, other] of keys.entries()) Object.assign(new Draft(other), { text: String(index) }).save();
    expect(keys.map((other) => new Draft(other).text)).to.deep.equal(['0', '1', '2', '3', '4', '5']);
  });

  it('has a storage key of parts without a space, which begins with its kind', () => {
    const { storageKey } = new Draft({ ...key, account: '4 2' });
    expect(storageKey).to.equal('vestibule:draft https://bff.example/ 4%202 news https://www.example.com/a');
  });

  it('is empty without a record', () => {
    const draft = new Draft(key);
    expect(draft).to.deep.include({ text: '', other: '', idempotencyKey: undefined, isKept: true });
    expect(draft.read()).to.equal(false);
  });

  it('reads what is stored, without a second text if there is none', () => {
    store({ text: 'stored', idempotencyKey: 'key', updatedAt: Date.now() });
    const draft = new Draft(key);
    expect(draft.read()).to.equal(true);
    expect(draft).to.deep.include({ text: 'stored', other: '', idempotencyKey: 'key' });
  });

  it('expires after 30 days', () => {
    Date.now = () => 40 * LIFETIME_MS;
    store({ text: 'stored', updatedAt: Date.now() - LIFETIME_MS + 1 });
    expect(new Draft(key).text).to.equal('stored');
    store({ text: 'stored', updatedAt: Date.now() - LIFETIME_MS });
    expect(new Draft(key).text).to.equal('');
  });

  it('ignores an invalid record', () => {
    for (const record of ['{', 'null', { text: 7, updatedAt: Date.now() }, { text: 'stored' }]) {
      store(record);
      expect(new Draft(key).text).to.equal('');
    }
  });

  it('keeps the second text and the idempotency key that another tab has stored in the meantime', () => {
    const [draft, rival] = [new Draft(key), new Draft(key)];
    Object.assign(rival, { text: 'of the rival', other: 'the third', idempotencyKey: 'key-of-the-rival' }).save();
    draft.text = 'own';
    draft.save();
    expect(new Draft(key)).to.deep.include({ text: 'own', other: 'of the rival\n\nthe third', idempotencyKey: 'key-of-the-rival' });
  });

  it('keeps its own idempotency key', () => {
    const [draft, rival] = [new Draft(key), new Draft(key)];
    Object.assign(rival, { text: 'of the rival', idempotencyKey: 'key-of-the-rival' }).save();
    Object.assign(draft, { text: 'own', idempotencyKey: 'own-key' }).save();
    expect(new Draft(key).idempotencyKey).to.equal('own-key');
  });

  it('offers the text of another tab once', () => {
    const [draft, rival] = [new Draft(key), new Draft(key)];
    Object.assign(rival, { text: 'of the rival' }).save();
    draft.text = 'own';
    draft.save();
    draft.other = '';
    draft.save();
    expect(new Draft(key).other).to.equal('');
  });

  it('notices a text that another tab has stored in the same millisecond', () => {
    Date.now = () => 40 * LIFETIME_MS;
    const draft = draftOf('first');
    draft.save();
    const rival = draftOf('of the rival');
    rival.save();
    draft.text = 'second';
    draft.save();
    expect(draft.other).to.equal('of the rival');
  });

  it('does not offer its own earlier text after the browser has refused to store a later one', () => {
    const draft = draftOf('first');
    draft.save();
    Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
    draft.text = 'second';
    expect(draft.save()).to.equal(false);
    expect(draft.isKept).to.equal(false);
    Storage.prototype.setItem = setItem;
    draft.text = 'third';
    expect(draft.save()).to.equal(true);
    expect(draft).to.deep.include({ other: '', isKept: true });
  });

  it('keeps an offered text beside its own, unless it contains it', () => {
    const draft = draftOf('one', 'two');
    for (const contained of [undefined, '', 'one', 'two', 'tw']) draft.offer(contained);
    expect(draft.other).to.equal('two');
    draft.offer('etwo');
    expect(draft.other).to.equal('two\n\netwo');
  });
});
