import { expect } from '@open-wc/testing';
import { Draft } from './draft.ts';
import { adoptDraft, claimKey, clearDraft, dropKey, releaseDraft } from './draft-moves.ts';

const bff = new URL('https://www.example.com/vestibule/');

function write(text: string, account = '', forum = 'news', base = bff): Draft {
  const draft = new Draft(base, forum, account);
  draft.text = text;
  draft.save();
  return draft;
}

const read = (account = '', forum = 'news', base = bff): string => new Draft(base, forum, account).text;

afterEach(() => {
  localStorage.clear();
  document.querySelector('link[rel=canonical]')?.remove();
});

describe('Draft', () => {
  it('is kept by BFF, forum and account', () => {
    write('mine');
    expect(read()).to.equal('mine');
    expect(read('42')).to.equal('');
    expect(read('', 'sports')).to.equal('');
    expect(read('', 'news', new URL('https://other.example/'))).to.equal('');
  });

  it('is kept by page: the canonical address where the page names one', () => {
    write('of this page');
    const link = Object.assign(document.createElement('link'), { rel: 'canonical', href: '/another-article?p=7' });
    document.head.append(link);
    expect(read()).to.equal('');
    write('of the article');
    link.href = '/another-article?p=8';
    expect(read()).to.equal('');
    link.remove();
    expect(read()).to.equal('of this page');
  });

  it('leaves nothing in storage once it is empty', () => {
    write('text');
    write('');
    expect(localStorage.length).to.equal(0);
  });

  it('passes over what is no draft', () => {
    write('text');
    for (const odd of ['', '{', 'null', '[]', '"x"', '{"text":1,"key":{}}']) {
      localStorage.setItem(localStorage.key(0)!, odd);
      expect(read(), odd).to.equal('');
    }
  });
});

describe('claimKey', () => {
  it('gives one key for a text, in this tab and in another, and over a reload', () => {
    const first = claimKey(write('hello'), 'hello');
    expect(first.isNew).to.equal(true);
    expect(claimKey(new Draft(bff, 'news'), 'hello')).to.deep.equal({ key: first.key, isNew: false });
  });

  it('keeps the key while it is open what became of it, though the text has changed', () => {
    const draft = write('hello');
    const { key } = claimKey(draft, 'hello');
    draft.text = 'hello again';
    draft.save();
    expect(claimKey(draft, 'hello again')).to.deep.equal({ key, isNew: false });
  });

  it('makes another after the first was settled', () => {
    const draft = write('hello');
    const { key } = claimKey(draft, 'hello');
    dropKey(draft);
    expect(claimKey(draft, 'hello').key).to.match(/^[0-9a-f]{32}$/).and.not.to.equal(key);
  });

  it('takes no key of another text from another tab', () => {
    const here = new Draft(bff, 'news');
    const { key } = claimKey(write('there'), 'there');
    expect(claimKey(here, 'here').key).not.to.equal(key);
  });
});

describe('clearDraft', () => {
  it('leaves what another tab has written in the meantime', () => {
    const draft = write('posted');
    write('newer, elsewhere');
    clearDraft(draft, 'posted');
    expect(draft.text).to.equal('');
    expect(read()).to.equal('newer, elsewhere');
  });
});

describe('adoptDraft', () => {
  it('hands over what was written signed out', () => {
    const draft = write('hello');
    adoptDraft(draft, '42');
    expect([draft.text, read(), read('42')]).to.deep.equal(['hello', '', 'hello']);
  });

  it('keeps the key for the account that it was used for, over a reload, and for no other', () => {
    for (const [account, isKept] of [['42', true], ['43', false]] as const) {
      const draft = write('hello', '42');
      const { key } = claimKey(draft, 'hello');
      releaseDraft(draft);
      const reloaded = new Draft(bff, 'news');
      adoptDraft(reloaded, account);
      expect([reloaded.text, reloaded.key]).to.deep.equal(['hello', isKept ? key : undefined]);
      localStorage.clear();
    }
  });

  it("finds the account's own draft where nothing was written signed out", () => {
    write('earlier', '42');
    const draft = new Draft(bff, 'news');
    adoptDraft(draft, '42');
    expect(draft.text).to.equal('earlier');
  });

  it('keeps both where there are two', () => {
    write('earlier', '42');
    const draft = write('later');
    adoptDraft(draft, '42');
    expect(draft.text).to.equal('earlier\n\nlater');
    adoptDraft(write('earlier\n\nlater'), '42');
    expect(read('42')).to.equal('earlier\n\nlater');
  });
});

describe('releaseDraft', () => {
  it('leaves the text with a reader whose session has ended', () => {
    const draft = write('hello', '42');
    releaseDraft(draft);
    expect([draft.text, read(), read('42')]).to.deep.equal(['hello', 'hello', '']);
  });
});
