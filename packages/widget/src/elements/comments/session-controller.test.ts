import { expect } from '@open-wc/testing';
import type { SessionView } from '@vestibule/shared';
import { networkProblem } from '../../client/network-problem.ts';
import type { Phase } from './comments-state.ts';
import { SessionController } from './session-controller.ts';
import { ada, anonymous, message, signedIn, TestContext } from './_test-context.ts';

const bo = { user_id: '43', username: 'Bo' };
const validating: SessionView = { ...anonymous, state: 'validating', sync: { id: 'sync-1', user: ada, forum: 'news', form: { fields: [] } } };
const writing: Phase = { name: 'writing' };
const rest = ['submission.onSession', 'signIn.onSession', 'requestUpdate'];

let test: TestContext;
let controller: SessionController;

beforeEach(() => {
  test = new TestContext();
  controller = new SessionController(test.context, {
    signIn: test.recorder('signIn'), signOut: test.recorder('signOut'), submission: test.recorder('submission'),
  });
  controller.hostConnected();
});

afterEach(() => {
  controller.hostDisconnected();
  localStorage.clear();
});

/** Nothing is known about the session. */
function forget(): void {
  test.store.view = undefined;
  controller.changeStore();
}

/** @returns what the controller does at a response, without what it does at each */
function answer(view: SessionView): unknown[] {
  test.taken();
  test.store.answer(view);
  const calls = test.taken();
  expect(calls.slice(-rest.length)).to.deep.equal(rest);
  const own = calls.slice(0, -rest.length);
  if (own.length > 0) expect(own.splice(view.notice ? 1 : 0, 1)).to.deep.equal([['signOut.onSession', view]]);
  return own;
}

describe('a subscription to the session', () => {
  it('begins with what is known, and ends when the box is removed', () => {
    controller.hostDisconnected();
    test.store.answer(anonymous);
    expect(test.taken()).to.deep.equal([]);
    controller.hostConnected();
    expect(test.taken()).to.deep.include.members([['moveTo', 'anonymous'], ['state', { state: 'anonymous' }], ...rest]);
    controller.hostDisconnected();
    controller.hostConnected();
    expect(test.taken(), 'the known view').to.deep.equal([]);
    expect(test.store.listeners.size).to.equal(1);
  });

  it('follows the element to another BFF, whose view is the first', () => {
    answer(signedIn);
    const { listeners } = test.store;
    test.changeStore();
    test.store.view = { ...signedIn };
    controller.changeStore();
    expect(test.taken()).to.deep.include.members([['moveTo', 'signed-in'], ['state', { state: 'signed-in' }]]);
    expect([listeners.size, test.store.listeners.size]).to.deep.equal([0, 1]);
  });

  it('waits until the element is in a page', () => {
    answer(signedIn);
    controller.hostDisconnected();
    test.host.isConnected = false;
    test.changeStore();
    test.store.view = signedIn;
    controller.changeStore();
    expect([test.taken(), test.store.listeners.size]).to.deep.equal([[], 0]);
    controller.hostConnected();
    expect(test.taken()).to.deep.include.members([['state', { state: 'signed-in' }]]);
  });
});

describe('a change of the session', () => {
  it('moves the draft, and fires an event with a new state only', () => {
    expect(answer(anonymous)).to.deep.equal([['moveTo', 'anonymous'], ['state', { state: 'anonymous' }]]);
    test.write('', '42');
    expect(answer({ ...anonymous }), 'the same state').to.deep.equal([]);
    test.write('');
    expect(answer(validating)).to.deep.equal([['moveTo', 'validating'], ['state', { state: 'validating' }]]);
    expect(answer(signedIn)).to.deep.equal([
      ['moveTo', 'signed-in'], ['go', writing, { announce: message('signedIn') }], ['state', { state: 'signed-in' }],
    ]);
    test.write('', '42');
    expect(answer({ ...signedIn }), 'the same account').to.deep.equal([]);
    expect(answer({ ...signedIn, user: bo }).map((call) => [call].flat()[0])).to.deep.equal(['submission.abort', 'moveTo', 'go']);
    expect(answer(signedIn).map((call) => [call].flat()[0]), 'the account of the draft').to.deep.equal(['moveTo', 'go']);
  });

  it('does nothing but tell the others if the view is the same', () => {
    answer(anonymous);
    test.store.answer(anonymous);
    expect(test.taken()).to.deep.equal(rest);
    test.store.answer(undefined);
    expect(test.taken()).to.deep.equal(rest);
  });

  it('is one from the last known view if the view was forgotten', () => {
    answer(signedIn);
    test.write('', '42');
    test.store.answer(undefined);
    expect(answer({ ...signedIn })).to.deep.equal([]);
    test.store.answer(undefined);
    expect(answer(anonymous)).to.deep.equal([['moveTo', 'anonymous'], ['state', { state: 'anonymous' }]]);
  });

  it('moves the draft to the same account if the box does not show it', () => {
    answer(signedIn);
    test.write('', '');
    expect(answer({ ...signedIn })).to.deep.equal([['moveTo', 'signed-in'], ['go', writing, { announce: message('signedIn') }]]);
    test.write('', '43');
    expect(answer({ ...signedIn })[0]).to.equal('submission.abort');
  });

  it('lets a box without an account stay where the user is unknown', () => {
    const unknown = { ...signedIn, user: undefined } as unknown as SessionView;
    answer(unknown);
    expect(answer({ ...unknown })).to.deep.equal([]);
  });

  it('announces a notice with its reference', () => {
    expect(answer({ ...anonymous, notice: 'declined', instance: 'urn:x' })[0])
      .to.deep.equal(['announce', { kind: 'notice', notice: 'declined', instance: 'urn:x' }]);
    expect(answer({ ...anonymous, notice: 'rejected' })).to.deep.equal([['announce', { kind: 'notice', notice: 'rejected', instance: undefined }]]);
  });

  it('keeps a notice at the first response', () => {
    expect(answer({ ...signedIn, notice: 'already-granted' })).to.deep.include([
      'go', writing, { announce: { kind: 'notice', notice: 'already-granted', instance: undefined } },
    ]);
  });

  it('ends what another account has begun', () => {
    for (const [name, isEnded] of [
      ['checking-session', true], ['posting', true], ['unconfirmed', true], ['confirming-sign-out', true], ['validating', false], ['signing-out', false],
    ] as const) {
      test.machine.phase = { name } as Phase;
      test.write('hello', '43');
      forget();
      const calls = answer({ ...signedIn });
      expect(calls[0]).to.equal('submission.abort');
      expect(calls.filter((call) => Array.isArray(call) && call[0] === 'go' && call.length === 2), name).to.deep.equal(isEnded ? [['go', writing]] : []);
    }
  });

  it('ends nothing of the same account, and nothing of nobody', () => {
    for (const [account, view] of [['42', signedIn], ['', signedIn], ['43', anonymous]] as const) {
      test.write('hello', account);
      forget();
      expect(answer({ ...view })).not.to.include('submission.abort');
    }
  });
});

describe('a sign-in', () => {
  it('is announced with what the reader has written', () => {
    answer(anonymous);
    test.write('hello');
    expect(answer(signedIn)).to.deep.include(['go', writing, { announce: message('notPostedYet') }]);
  });

  it('is not announced to a reader who was signed in from the start', () => {
    expect(answer(signedIn)).to.deep.equal([['moveTo', 'signed-in'], ['go', writing, { announce: undefined }], ['state', { state: 'signed-in' }]]);
  });

  it('ends the questions about it, and no other phase', () => {
    for (const [name, isEnded] of [
      ['waiting-for-window', true], ['confirming-leave', true], ['cookie-blocked', true], ['validating', false], ['posting', false],
    ] as const) {
      answer(anonymous);
      const phase = { name } as Phase;
      test.machine.phase = phase;
      const calls = answer({ ...signedIn });
      expect(calls, name).to.deep.include(['go', isEnded ? writing : phase, { announce: message('signedIn') }]);
      expect(calls.includes('signIn.stopWaiting'), name).to.equal(isEnded);
    }
  });

  it('moves the focus to the field if the box waited for the window', () => {
    for (const name of ['waiting-for-window', 'confirming-leave'] as const) {
      answer(anonymous);
      test.machine.phase = { name } as Phase;
      const isFocused = answer({ ...signedIn }).some((call) => Array.isArray(call) && call[0] === 'focusFieldWhenPossible' && call[1] === false);
      expect(isFocused, name).to.equal(name === 'waiting-for-window');
    }
  });
});

describe('a reader who left the page to sign in', () => {
  const scroll = ['scrollIntoView', { block: 'center' }];

  beforeEach(() => { controller.isBack = true; });

  it('comes back signed in: the box is announced, focused and in sight', () => {
    expect(answer(signedIn)).to.deep.equal([
      ['moveTo', 'signed-in'], ['go', writing, { announce: message('signedIn') }], ['focusFieldWhenPossible', false], scroll,
      ['state', { state: 'signed-in' }],
    ]);
    expect(answer(anonymous)).not.to.deep.include(scroll);
    expect(answer({ ...signedIn }), 'a later sign-in').not.to.deep.include(scroll);
  });

  it('comes back to the form', () => {
    expect(answer(validating)).to.deep.equal([['moveTo', 'validating'], 'signIn.showForm', scroll, ['state', { state: 'validating' }]]);
  });

  it('comes back without a sign-in', () => {
    expect(answer(anonymous)).to.deep.equal([['moveTo', 'anonymous'], scroll, ['state', { state: 'anonymous' }]]);
  });
});

describe('a sign-in that is not finished', () => {
  it('is shown in the box at the first response if its forms are shown there', () => {
    for (const sync of ['inline', 'popup'] as const) {
      test.host.sync = sync;
      forget();
      expect(answer({ ...validating }).includes('signIn.showForm'), sync).to.equal(sync === 'inline');
      answer(anonymous);
      expect(answer({ ...validating }), 'later').not.to.include('signIn.showForm');
    }
  });
});

describe('a failure of the request', () => {
  it('is reported once, until there is a response', () => {
    const failed = (): void => { test.store.answer(undefined, { problem: networkProblem }); };
    const reported = (): unknown[] => test.taken().filter((call) => Array.isArray(call) && call[0] === 'error');
    failed();
    expect(reported()).to.deep.equal([['error', networkProblem]]);
    failed();
    expect(reported()).to.deep.equal([]);
    answer(anonymous);
    failed();
    expect(reported()).to.have.length(1);
  });
});
