import { expect } from '@open-wc/testing';
import type { SessionView } from '@vestibule/shared';
import { Draft, type DraftKey } from '../../drafts/draft.ts';
import type { Phase } from './comments-state.ts';
import { DraftController } from './draft-controller.ts';
import type { PhaseMachine } from './phase-machine.ts';
import type { CommentsHost } from './second-stage.ts';

const key: DraftKey = { bff: 'https://bff.example/', forum: 'news', page: 'https://www.example.com/a', account: '' };
const signOutKey = `vestibule:signed-out ${key.bff}`;
const limits = { message_max_length: 10_000 };
const anonymous: SessionView = { state: 'anonymous', limits };
const ada: SessionView = { state: 'signed-in', user: { user_id: '42', username: 'Ada' }, limits };

const { setItem } = Storage.prototype;

/** What the controller has called, with its argument. */
let calls: string[];
let phase: Phase;
let field: HTMLTextAreaElement;
let host: CommentsHost;
let controller: DraftController;

beforeEach(() => {
  calls = [];
  phase = { name: 'writing' };
  field = document.body.appendChild(document.createElement('textarea'));
  const element = {
    draft: new Draft(key),
    field,
    openDraft(account = '') {
      calls.push(`openDraft ${account}`);
      element.draft = new Draft({ ...key, account });
    },
    showDraft: () => { calls.push('showDraft'); },
    requestUpdate: () => { calls.push('requestUpdate'); },
    followPage: () => { calls.push('followPage'); },
  };
  const machine = {
    get phase() { return phase; },
    is: (...names: string[]) => names.includes(phase.name),
    go: ({ name }: Phase) => { calls.push(`go ${name}`); },
    announce: ({ message }: { message: string }) => { calls.push(`announce ${message}`); },
    focus: (target: string) => { calls.push(`focus ${target}`); },
  };
  host = element as unknown as CommentsHost;
  controller = new DraftController(host, machine as unknown as PhaseMachine, () => { calls.push('onHidden'); });
});

afterEach(() => {
  controller.hostDisconnected();
  Storage.prototype.setItem = setItem;
  field.remove();
  localStorage.clear();
});

function refuseWrites(): void {
  Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
}

/** As another tab stores it. */
function store(text: string, account = '', other = ''): void {
  Object.assign(new Draft({ ...key, account }), { text, other }).save();
}

function stored(account = ''): Pick<Draft, 'text' | 'other'> {
  const { text, other } = new Draft({ ...key, account });
  return { text, other };
}

/** The reader is signed in and has written `text`. */
function writeAsAda(text: string): void {
  controller.moveTo(ada);
  host.draft.text = text;
  host.draft.save();
  calls = [];
}

/** The calls since the last time. */
function taken(): string[] {
  return calls.splice(0);
}

describe('DraftController', () => {
  it('removes records that have expired', () => {
    localStorage.setItem(new Draft(key).storageKey, JSON.stringify({ text: 'old', updatedAt: 1 }));
    void new DraftController(host, {} as PhaseMachine, () => undefined);
    expect(localStorage.length).to.equal(0);
  });

  it('knows whether signing out would delete text', () => {
    writeAsAda('');
    expect(controller.wouldLoseText).to.equal(false);
    Object.assign(host.draft, { text: '', other: 'second' });
    expect(controller.wouldLoseText).to.equal(true);
    Object.assign(host.draft, { text: 'first', other: '' });
    expect(controller.wouldLoseText).to.equal(true);
    host.draft.text = '';
    Object.assign(new Draft({ ...key, account: '42', page: 'https://www.example.com/b' }), { text: 'elsewhere' }).save();
    expect(controller.wouldLoseText).to.equal(true);
  });

  it('knows whether the page can be left: without text, or with one that is kept', () => {
    refuseWrites();
    expect(controller.isSafe).to.equal(true);
    host.draft.text = 'hello';
    expect(controller.isSafe).to.equal(false);
    Storage.prototype.setItem = setItem;
    expect([controller.isSafe, stored().text]).to.deep.equal([true, 'hello']);
  });

  it('shows the reader’s own posts of an account, and none without one', () => {
    const post = { user: ada.user!, message: 'hello', at: Date.now() };
    expect(controller.posts).to.deep.equal([]);
    controller.moveTo(ada);
    controller.addPost(post);
    expect(controller.posts).to.deep.equal([post]);
    controller.close();
    expect([controller.posts, host.draft.key.account]).to.deep.equal([[], '']);
    localStorage.setItem(host.draft.storageKey.replace('draft', 'posts'), JSON.stringify([post]));
    controller.showPosts();
    expect(controller.posts).to.deep.equal([]);
    controller.moveTo(ada);
    expect(controller.posts).to.deep.equal([post]);
  });
});

describe('a connected DraftController', () => {
  /** Signs the reader out in another tab, unseen. */
  function signOutElsewhere(): void {
    localStorage.setItem(signOutKey, String(Date.now() + 1));
  }

  it('hides the text after a sign-out, and follows the page, at once', () => {
    writeAsAda('secret');
    signOutElsewhere();
    controller.hostConnected();
    expect(taken()).to.deep.equal(['openDraft ', 'onHidden', 'followPage']);
  });

  for (const [type, target] of [['pageshow', window], ['focus', window], ['visibilitychange', document]] as const) {
    it(`hides the text after a sign-out on ${type}, until it is disconnected`, () => {
      writeAsAda('secret');
      controller.hostConnected();
      taken();
      target.dispatchEvent(new Event(type));
      expect(taken()).to.deep.equal([]);
      signOutElsewhere();
      target.dispatchEvent(new Event(type));
      expect(taken()).to.deep.equal(['openDraft ', 'onHidden']);
      controller.hostDisconnected();
      host.openDraft('42');
      taken();
      target.dispatchEvent(new Event(type));
      expect(taken()).to.deep.equal([]);
    });
  }

  for (const [type, target] of [['pageshow', window], ['focus', window], ['visibilitychange', document]] as const) {
    it(`shows the text of another box on ${type}: the page may have missed its event`, () => {
      writeAsAda('posted by another box');
      controller.hostConnected();
      const { key } = host.draft;
      Object.assign(new Draft(key), { text: '' }).save();
      target.dispatchEvent(new Event(type));
      expect(host.draft.text).to.equal('');
    });
  }

  for (const [type, target] of [['popstate', window], ['currententrychange', (globalThis as { navigation?: EventTarget }).navigation!]] as const) {
    it(`follows the page on ${type}, until it is disconnected`, () => {
      controller.hostConnected();
      taken();
      target.dispatchEvent(new Event(type));
      expect(taken()).to.deep.equal(['followPage']);
      controller.hostDisconnected();
      target.dispatchEvent(new Event(type));
      expect(taken()).to.deep.equal([]);
    });
  }

  it('follows its own record, and all of them at once, until it is disconnected', () => {
    controller.hostConnected();
    taken();
    for (const [changed, text] of [[host.draft.storageKey, 'one'], [null, 'two']] as const) {
      store(text);
      window.dispatchEvent(new StorageEvent('storage', { key: 'another' }));
      expect(taken()).to.deep.equal([]);
      window.dispatchEvent(new StorageEvent('storage', { key: changed }));
      expect([taken(), host.draft.text]).to.deep.equal([['showDraft', 'requestUpdate'], text]);
    }
    controller.hostDisconnected();
    store('three');
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
    expect(taken()).to.deep.equal([]);
  });
});

describe('moveTo()', () => {
  it('moves text that was written signed out to the account, with a second one', () => {
    for (const own of [{ text: 'first', other: '' }, { text: '', other: 'second' }]) {
      Object.assign(host.draft, own).save();
      controller.moveTo(ada);
      expect(taken()).to.deep.equal(['openDraft 42', 'showDraft']);
      expect([host.draft.key.account, stored('42'), stored()]).to.deep.equal(['42', own, { text: '', other: '' }]);
      localStorage.clear();
      controller.close();
      taken();
    }
  });

  it('opens the account’s own draft if nothing was written', () => {
    store('earlier', '42');
    controller.moveTo(ada);
    expect([taken(), host.draft.text]).to.deep.equal([['openDraft 42'], 'earlier']);
    expect(localStorage.getItem(new Draft(key).storageKey)).to.equal(null);
  });

  it('leaves the text of another account with it', () => {
    controller.moveTo({ ...ada, user: { user_id: '43', username: 'Bo' } });
    host.draft.text = 'of Bo';
    host.draft.save();
    taken();
    controller.moveTo(ada);
    expect([taken(), host.draft.text, stored('43').text]).to.deep.equal([['openDraft 42'], '', 'of Bo']);
  });

  it('does not open the draft of the same account again', () => {
    writeAsAda('of Ada');
    controller.moveTo(ada);
    expect([taken(), host.draft.text]).to.deep.equal([[], 'of Ada']);
  });

  it('leaves the text with its account when the session has expired, and follows other tabs', () => {
    writeAsAda('of Ada');
    store('of Ada in another tab', '42');
    controller.moveTo(anonymous);
    expect([taken(), host.draft.text, host.draft.key.account]).to.deep.equal([['showDraft', 'requestUpdate'], 'of Ada in another tab', '42']);
  });

  it('takes the account of a live session only', () => {
    for (const view of [{ ...anonymous, user: ada.user! }, { state: 'signed-in', limits }] as const) {
      controller.moveTo(view);
      expect([taken(), host.draft.key.account]).to.deep.equal([[], '']);
    }
  });
});

describe('hideIfSignedOut()', () => {
  it('hides the text of an account whose sign-out is as new as its session, or newer', () => {
    const { now } = Date;
    const signedInAt = now();
    try {
      Date.now = () => signedInAt;
      for (const [at, isHidden] of [[signedInAt - 1, false], [signedInAt, true], [signedInAt + 1, true]] as const) {
        writeAsAda('secret');
        localStorage.setItem(signOutKey, String(at));
        controller.hideIfSignedOut(true);
        expect(taken(), String(at - signedInAt)).to.deep.equal(isHidden ? ['openDraft ', 'onHidden'] : []);
        localStorage.clear();
      }
    } finally {
      Date.now = now;
    }
  });

  it('hides it without a time in storage if the caller knows of the sign-out', () => {
    writeAsAda('secret');
    controller.hideIfSignedOut();
    expect(taken()).to.deep.equal([]);
    controller.hideIfSignedOut(true);
    expect(taken()).to.deep.equal(['openDraft ', 'onHidden']);
  });

  it('leaves text without an account', () => {
    host.draft.text = 'of nobody';
    localStorage.setItem(signOutKey, String(Date.now()));
    controller.hideIfSignedOut(true);
    expect(taken()).to.deep.equal([]);
  });

  it('does not take a session that has ended for a new sign-in', () => {
    const { now } = Date;
    try {
      writeAsAda('secret');
      const signedOutAt = now() + 1;
      localStorage.setItem(signOutKey, String(signedOutAt));
      Date.now = () => signedOutAt + 1;
      controller.moveTo(anonymous);
      expect(taken()).to.deep.equal(['openDraft ', 'onHidden']);
    } finally {
      Date.now = now;
    }
  });
});

describe('follow()', () => {
  it('shows what another tab has written, text or second text', () => {
    for (const [text, other] of [['hello', ''], ['hello', 'second']] as const) {
      store(text, '', other);
      controller.follow();
      expect([taken(), host.draft.text, host.draft.other]).to.deep.equal([['showDraft', 'requestUpdate'], text, other]);
      controller.follow();
      expect(taken()).to.deep.equal([]);
    }
  });

  it('changes nothing while a comment is posted, or while storage does not have the text', () => {
    store('hello');
    phase = { name: 'posting' };
    controller.follow();
    phase = { name: 'writing' };
    host.draft.isKept = false;
    controller.follow();
    expect([taken(), host.draft.text]).to.deep.equal([[], '']);
  });

  it('hides the text after a sign-out', () => {
    writeAsAda('secret');
    localStorage.setItem(signOutKey, String(Date.now() + 1));
    controller.follow();
    expect(taken()).to.deep.equal(['openDraft ', 'onHidden']);
  });

  it('stores the text again after storage was emptied, with its second text and its key', () => {
    for (const own of [{ text: 'hello', other: 'second' }, { text: '', other: 'second' }, { text: 'hello', other: '' }]) {
      Object.assign(host.draft, { ...own, idempotencyKey: 'k' }).save();
      localStorage.clear();
      controller.follow();
      expect([stored(), new Draft(key).idempotencyKey]).to.deep.equal([own, 'k']);
      expect(host.draft).to.deep.include(own);
    }
    expect(taken()).to.deep.equal([]);
  });

  it('stores nothing without a text', () => {
    controller.follow();
    expect([localStorage.length, taken()]).to.deep.equal([0, []]);
  });

  it('gives up a text without an account that a sign-out has removed, not the text of an account that has signed in since', () => {
    host.draft.text = 'of Ada';
    localStorage.setItem(signOutKey, String(Date.now() - 1000));
    controller.follow();
    expect([taken(), host.draft.text, stored().text]).to.deep.equal([['showDraft', 'requestUpdate'], '', '']);
    writeAsAda('of Ada');
    localStorage.removeItem(host.draft.storageKey);
    controller.follow();
    expect([taken(), host.draft.text, stored('42').text]).to.deep.equal([[], 'of Ada', 'of Ada']);
  });

  it('ends the question about a comment when another tab has changed the text, and only then', () => {
    store('first');
    controller.follow();
    taken();
    phase = { name: 'unconfirmed', message: 'first', problem: {} as never };
    store('first', '', 'second');
    controller.follow();
    expect(taken()).to.deep.equal(['showDraft', 'requestUpdate']);
    store('another');
    controller.follow();
    expect(taken()).to.deep.equal(['go writing', 'showDraft', 'requestUpdate']);
  });
});

describe('discard()', () => {
  it('empties field and draft, drops the key, and can be undone', () => {
    Object.assign(host.draft, { text: 'hello', idempotencyKey: 'k' }).save();
    field.value = 'hello';
    controller.discard();
    expect([field.value, host.draft.text, stored().text, new Draft(key).idempotencyKey]).to.deep.equal(['', '', '', undefined]);
    expect(taken()).to.deep.equal(['announce discarded']);
    expect(document.activeElement).to.equal(field);
    document.execCommand('undo');
    expect(field.value).to.equal('hello');
  });

  it('empties the field also where the browser does not edit it', () => {
    const { execCommand } = document;
    document.execCommand = () => false;
    try {
      field.value = 'hello';
      controller.discard();
      expect(field.value).to.equal('');
    } finally {
      document.execCommand = execCommand;
    }
  });

  it('leaves a text that the focus has brought into the field', () => {
    host.draft.text = field.value = 'hello';
    field.addEventListener('focus', () => { field.value = 'of another tab'; });
    controller.discard();
    expect([field.value, host.draft.text, taken()]).to.deep.equal(['of another tab', 'hello', []]);
  });
});

describe('the second text', () => {
  it('is put below the first, or in its place', () => {
    for (const [text, both] of [['first', 'first\n\nsecond'], ['', 'second']] as const) {
      Object.assign(host.draft, { text, other: 'second' });
      controller.insertOther();
      expect([host.draft.text, host.draft.other, stored()]).to.deep.equal([both, '', { text: both, other: '' }]);
      expect(taken()).to.deep.equal(['showDraft', 'requestUpdate', 'focus field']);
    }
  });

  it('is removed', () => {
    Object.assign(host.draft, { text: 'first', other: 'second' });
    controller.removeOther();
    expect([host.draft.other, stored()]).to.deep.equal(['', { text: 'first', other: '' }]);
    expect(taken()).to.deep.equal(['showDraft', 'requestUpdate', 'focus field']);
  });
});
