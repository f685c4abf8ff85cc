import { expect } from '@open-wc/testing';
import { problemTypes, PROBLEM_TYPE_PREFIX, type ProblemType, type SessionView, type SyncReturn } from '@vestibule/shared';
import { networkProblem } from '../../client/network-problem.ts';
import { BffError } from '../../client/problem.ts';
import { setReturnMarker, takeReturnMarker } from '../../session/return-marker.ts';
import { announceSessionChange } from '../../session/session-channel.ts';
import { until } from '../../_until.ts';
import { loadSync } from '../sync/load-sync.ts';
import type { Phase } from './comments-state.ts';
import { SignInController } from './sign-in-controller.ts';
import { ada, anonymous, base, draftKey, message, settled, signedIn, TestContext } from './_test-context.ts';

const syncReturn: SyncReturn = { code: 'c0de', ...ada, audiencesync_uri: 'https://service.example/audiencesync/complete/' };
const granted = { kind: 'granted', syncReturn } as const;
const validating: SessionView = { ...anonymous, state: 'validating', sync: { id: 'sync-1', user: ada, forum: 'news', form: { fields: [] } } };
const formUrl = `${base.href}sync/form`;
const writing = ['go', { name: 'writing' }];
const toField = ['go', { name: 'writing' }, { focus: 'field' }];
const waiting = ['go', { name: 'waiting-for-window' }];
const form = ['go', { name: 'validating', syncReturn: undefined }];
const page = location.href;

const { open, reportError } = window;
const { get } = customElements;

let test: TestContext;
let controller: SignInController;
/** Whether the browser lets windows open. */
let isAllowed: boolean;
/** Addresses of the windows, and what happens to them. */
let opened: unknown[];
let lastWindow: Window;
let reported: unknown[];
/** What the BFF responds. */
let answer: unknown;
let sent: unknown[];

// What the controller imports is ready at once.
before(() => Promise.all([loadSync(), import('../../client/integration-hints.ts')]));

beforeEach(() => {
  isAllowed = true;
  opened = [];
  reported = [];
  sent = [];
  window.open = (url) => {
    opened.push(url);
    if (!isAllowed) return null;
    lastWindow = {
      closed: false, close: () => { opened.push('close'); }, location: { replace: (target: string) => { opened.push(['replace', target]); } },
    } as unknown as Window;
    return lastWindow;
  };
  window.reportError = (error: unknown) => { reported.push(error); };
  const respond = async (...request: unknown[]): Promise<unknown> => {
    sent.push(request);
    const value = await answer;
    if (value instanceof Error) throw value;
    return value;
  };
  test = new TestContext({
    formUrl: () => formUrl,
    // An address that is no other page.
    authorizeUrl: ({ forum, returnTo, display }: Record<string, string>) => `${page}#${forum} ${display} ${returnTo === location.href}`,
    startSync: (body: unknown) => respond('startSync', body),
    cancelSync: (body: unknown) => respond('cancelSync', body),
    explainRefusal: (problem: object, url: string) => respond('explainRefusal', url).then((detail) => ({ ...problem, detail })),
  });
  test.store.view = anonymous;
  controller = new SignInController(test.context);
  controller.hostConnected();
});

afterEach(() => {
  controller.hostDisconnected();
  Object.assign(window, { open, reportError });
  customElements.get = get;
  history.replaceState(null, '', page);
  localStorage.clear();
  sessionStorage.clear();
});

function failure(type: ProblemType): BffError {
  return new BffError({ type: `${PROBLEM_TYPE_PREFIX}${type}`, ...problemTypes[type], detail: '' });
}

/** The form cannot be loaded. */
function breakForm(): Error {
  const error = new Error('not loaded');
  customElements.get = () => { throw error; };
  return error;
}

function waitForWindow(): void {
  test.store.view = anonymous;
  controller.start();
  test.taken();
  opened = [];
}

describe('start()', () => {
  it('opens a window with the authorization request', () => {
    controller.start();
    expect(opened).to.deep.equal([`${page}#news popup true`]);
    expect(test.taken()).to.deep.equal([['announce', undefined], 'watch', waiting]);
  });

  it('does so before the session is known', () => {
    test.store.view = undefined;
    controller.start();
    expect(opened).to.deep.equal([`${page}#news popup true`]);
  });

  it('opens a window with the form of a sign-in that is not finished', () => {
    test.store.view = validating;
    controller.start();
    expect(opened).to.deep.equal([formUrl]);
    expect(test.taken()).to.deep.equal([['announce', undefined], 'watch', waiting]);
  });

  it('shows that form in the box if the page wants it so, or the browser blocks the window', () => {
    isAllowed = false;
    test.store.view = validating;
    for (const [sync, windows] of [['popup', [formUrl]], ['inline', []]] as const) {
      test.host.sync = sync;
      opened = [];
      controller.start();
      expect(opened, sync).to.deep.equal(windows);
      expect(test.taken()).to.deep.equal([['announce', undefined], form]);
    }
  });

  it('asks whether to leave the page if the browser blocks the window', () => {
    isAllowed = false;
    controller.start();
    expect(test.taken()).to.deep.equal([['announce', undefined], ['go', { name: 'confirming-leave', isWindowBlocked: true }, { focus: 'panel' }]]);
  });

  it('leaves the page for a sign-in in it, and asks first if that would lose the text', () => {
    test.host.sync = 'inline';
    test.drafts.isSafe = false;
    controller.start();
    expect(test.taken()).to.deep.equal([['announce', undefined], ['go', { name: 'confirming-leave', isWindowBlocked: false }, { focus: 'panel' }]]);
    expect([opened, location.href]).to.deep.equal([[], page]);
    test.drafts.isSafe = true;
    controller.start();
    expect(decodeURI(location.hash)).to.equal('#news page true');
    expect(opened).to.deep.equal([]);
    expect(takeReturnMarker(draftKey)).to.equal(true);
  });

  it('does nothing while the box waits for the BFF', () => {
    test.machine.phase = { name: 'posting' };
    controller.start();
    expect([test.taken(), opened]).to.deep.equal([[], []]);
  });

  it('begins a sign-in of its own where the callback granted nothing', () => {
    test.host.callback = { kind: 'denied' };
    controller.start();
    expect([opened.length, sent]).to.deep.equal([1, []]);
  });
});

describe('start() with a callback', () => {
  const starting = ['go', { name: 'starting-sync', syncReturn }];

  beforeEach(() => { test.host.callback = granted; });

  it('sends it while the empty window is open, which then shows the form', async () => {
    answer = validating;
    controller.start();
    expect(opened).to.deep.equal(['about:blank']);
    expect(test.taken()).to.deep.equal([['announce', undefined], 'watch', waiting, starting]);
    await settled();
    expect(sent).to.deep.equal([['startSync', { ...syncReturn, forum: 'news' }]]);
    expect(test.taken()).to.deep.equal([waiting, ['adopt', validating]]);
    expect(opened.slice(1)).to.deep.equal([['replace', formUrl]]);
    expect(test.host.callback).to.equal(undefined);
  });

  it('shows the form in the box if the page wants it so, or the browser blocks the window', () => {
    isAllowed = false;
    for (const [sync, windows] of [['popup', ['about:blank']], ['inline', []]] as const) {
      test.host.sync = sync;
      opened = [];
      controller.start();
      expect(opened, sync).to.deep.equal(windows);
      expect(test.taken()).to.deep.equal([['announce', undefined], ['go', { name: 'validating', syncReturn }]]);
    }
  });

  it('keeps it if another attempt may succeed, and closes the window', async () => {
    for (const [type, callback, focus] of [['service-unavailable', granted, 'panel'], ['code-already-used', undefined, 'field']] as const) {
      test.host.callback = granted;
      test.machine.phase = { name: 'writing' };
      const error = answer = failure(type);
      controller.start();
      test.taken();
      opened = [];
      await settled();
      const announce = { kind: 'problem', problem: error.problem };
      expect(test.taken(), type).to.deep.equal([['announce', announce], ['error', error.problem], 'endWatch', ['go', { name: 'writing' }, { announce, focus }]]);
      expect([opened, test.host.callback]).to.deep.equal([['close'], callback]);
    }
  });

  it('keeps the callback when another message, or none, is announced', async () => {
    for (const announcement of [{ kind: 'not-posted', problem: failure('post-rejected').problem }, undefined] as const) {
      answer = undefined;
      controller.start();
      test.machine.announcement = announcement;
      await settled();
      expect(test.host.callback).to.equal(granted);
      test.machine.phase = { name: 'writing' };
    }
  });

  it('closes its empty window when the page or the reader ends it, and changes nothing later', async () => {
    for (const response of [validating, failure('code-already-used')]) {
      answer = response;
      test.machine.phase = { name: 'writing' };
      controller.start();
      test.taken();
      controller.stopWaiting();
      expect([test.taken(), opened.at(-1)]).to.deep.equal([['endWatch'], 'close']);
      test.machine.phase = { name: 'writing' };
      opened = [];
      await settled();
      expect([test.taken().filter((entry) => !String(entry).startsWith('error')), opened, test.host.callback]).to.deep.equal([[], [], granted]);
    }
  });

  it('leaves the window and the form of a later start alone', async () => {
    const { promise, resolve } = Promise.withResolvers();
    answer = promise;
    controller.start();
    controller.stopWaiting();
    test.machine.phase = { name: 'writing' };
    isAllowed = false;
    controller.start();
    expect(test.machine.phase.name).to.equal('validating');
    test.taken();
    opened = [];
    resolve(validating);
    await settled();
    expect([await test.takenOf(1), opened, test.machine.phase.name]).to.deep.equal([['focusForm'], [], 'validating']);
  });
});

describe('the form in the box', () => {
  const notLoaded = ['go', { name: 'writing' }, { announce: { kind: 'error', error: 'formNotLoaded' }, focus: 'field' }];
  const failed = ['error', networkProblem];

  /** Long enough for what must not happen. */
  async function formSettled(): Promise<void> {
    await loadSync().catch(() => undefined);
    await settled();
  }

  /** Resolves when the form has loaded. */
  async function formLoaded(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    customElements.get = (name) => {
      resolve();
      return get.call(customElements, name);
    };
    await promise;
    await settled();
  }

  it('gets the focus once it has loaded', async () => {
    controller.showForm(syncReturn);
    expect(test.taken()).to.deep.equal([['go', { name: 'validating', syncReturn }]]);
    expect(await test.takenOf(1)).to.deep.equal(['focusForm']);
  });

  it('gives way to a message if it cannot be loaded, and is loaded again once the browser is online', async () => {
    const error = breakForm();
    controller.showForm();
    expect(await test.takenOf(3)).to.deep.equal([form, notLoaded, failed]);
    expect(reported).to.deep.equal([error]);
    window.dispatchEvent(new Event('online'));
    expect([await test.takenOf(1), reported.length]).to.deep.equal([[failed], 2]);
    const loaded = formLoaded();
    window.dispatchEvent(new Event('online'));
    window.dispatchEvent(new Event('online'));
    await loaded;
    expect([test.taken(), reported.length]).to.deep.equal([[], 2]);
    breakForm();
    window.dispatchEvent(new Event('online'));
    await formSettled();
    expect(reported.length, 'loaded already').to.equal(2);
  });

  it('is not loaded again by a box that was removed', async () => {
    breakForm();
    controller.showForm();
    expect(await test.takenOf(3)).to.deep.equal([form, notLoaded, failed]);
    controller.hostDisconnected();
    window.dispatchEvent(new Event('online'));
    await formSettled();
    expect(reported).to.have.length(1);
  });

  it('leaves the box alone if the reader has closed it before it failed to load', async () => {
    breakForm();
    controller.showForm();
    test.machine.phase = { name: 'posting' };
    test.taken();
    expect(await test.takenOf(1)).to.deep.equal([failed]);
  });

  it('closes, without the callback, and the box requests the session', () => {
    test.host.callback = granted;
    controller.closeForm();
    expect([test.taken(), test.host.callback]).to.deep.equal([[toField, 'refresh'], undefined]);
  });

  it('reports its state to the box alone', () => {
    const event = new Event('vestibule-state', { bubbles: true });
    let isStopped = false;
    event.stopPropagation = () => { isStopped = true; };
    controller.onFormState(event);
    expect([test.taken(), isStopped]).to.deep.equal([['refresh'], true]);
  });

  it('closes after its end if the page cancels the navigation', async () => {
    for (const isCanceled of [false, true]) {
      const event = new Event('vestibule-completed', { cancelable: true });
      controller.onFormCompleted(event);
      // The page's listener comes after the box's.
      if (isCanceled) event.preventDefault();
      expect(test.taken()).to.deep.equal([]);
      await settled();
      expect(test.taken()).to.deep.equal(isCanceled ? [toField, 'refresh'] : []);
    }
  });
});

describe('refuseCallback()', () => {
  it('forgets the callback', () => {
    test.host.callback = granted;
    controller.refuseCallback();
    expect([test.taken(), test.host.callback]).to.deep.equal([[toField], undefined]);
  });
});

describe('cancelSync()', () => {
  const cancelling = ['go', { name: 'cancelling-sync' }];
  const rest = ['endWatch', ['go', { name: 'writing' }, { announce: undefined, focus: 'field' }], 'refresh'];

  beforeEach(() => { test.store.view = validating; });

  it('cancels, and the window shows the service’s page', async () => {
    answer = { completion_url: 'HTTPS://service.example/complete/' };
    const cancelled = controller.cancelSync();
    expect([opened, test.taken()]).to.deep.equal([['about:blank'], [cancelling]]);
    await cancelled;
    expect(sent).to.deep.equal([['cancelSync', { sync: 'sync-1' }]]);
    expect([opened.slice(1), test.taken()]).to.deep.equal([[['replace', 'HTTPS://service.example/complete/']], rest]);
    answer = { completion_url: 'http://service.example/' };
    await controller.cancelSync();
    expect(opened.at(-1)).to.deep.equal(['replace', 'http://service.example/']);
  });

  it('opens no address but one of the web', async () => {
    for (const completion_url of ['javascript:alert(1)', 'x https://service.example/']) {
      answer = { completion_url };
      opened = [];
      await controller.cancelSync();
      expect(opened).to.deep.equal(['about:blank', 'close']);
    }
  });

  it('shows a failure, and closes the window', async () => {
    const error = answer = failure('service-unavailable');
    await controller.cancelSync();
    const announce = { kind: 'problem', problem: error.problem };
    expect(test.taken()).to.deep.equal([
      cancelling, ['announce', announce], ['error', error.problem], 'endWatch', ['go', { name: 'writing' }, { announce, focus: 'field' }], 'refresh',
    ]);
    expect(opened.at(-1)).to.equal('close');
  });

  it('needs no window', async () => {
    isAllowed = false;
    for (const value of [{ completion_url: 'https://service.example/' }, failure('service-unavailable')]) {
      answer = value;
      test.machine.phase = { name: 'writing' };
      await controller.cancelSync();
      expect(test.taken().at(-1)).to.equal('refresh');
    }
  });

  it('changes nothing in a box whose page or reader has ended it', async () => {
    answer = { completion_url: 'https://service.example/' };
    const cancelled = controller.cancelSync();
    test.taken();
    test.changeStore();
    await cancelled;
    expect(test.taken()).to.deep.equal(['refresh']);
  });

  it('does nothing without a sign-in, or while the box waits for the BFF', async () => {
    test.machine.phase = { name: 'posting' };
    await controller.cancelSync();
    test.machine.phase = { name: 'writing' };
    for (const view of [anonymous, undefined]) {
      test.store.view = view;
      await controller.cancelSync();
    }
    expect([test.taken(), opened, sent]).to.deep.equal([[], [], []]);
  });
});

describe('the wait for a window', () => {
  beforeEach(() => { waitForWindow(); });

  it('ends the requests it causes when the box no longer waits', () => {
    opened = [];
    controller.stopWaiting();
    expect([test.taken(), opened]).to.deep.equal([['endWatch'], []]);
    test.machine.phase = { name: 'writing' };
    controller.stopWaiting();
    expect(test.taken()).to.deep.equal([]);
  });

  it('ends with the sign-in, and after ten minutes', () => {
    test.store.isWatching = true;
    controller.onSession();
    expect(test.taken(), 'meanwhile').to.deep.equal([]);
    test.store.isWatching = false;
    controller.onSession();
    expect(test.taken()).to.deep.equal([['go', { name: 'writing' }, { announce: message('signInTimedOut') }]]);
    test.machine.phase = { name: 'waiting-for-window' };
    test.machine.announcement = { kind: 'error', error: 'empty' };
    test.store.view = signedIn;
    controller.onSession();
    expect(test.taken()).to.deep.equal([['go', { name: 'writing' }, { announce: { kind: 'error', error: 'empty' } }]]);
    controller.onSession();
    expect(test.taken(), 'in another phase').to.deep.equal([]);
  });
});

/** A message of a window. */
function send(data: unknown, { origin = base.origin, source = lastWindow as Window | null } = {}): Promise<void> {
  const event = new MessageEvent('message', { data, origin });
  Object.defineProperty(event, 'source', { value: source });
  window.dispatchEvent(event);
  return settled();
}

describe('a message of the window', () => {
  const timedOut = { announce: undefined };

  beforeEach(() => {
    waitForWindow();
    test.store.next = { view: signedIn, failure: undefined };
  });

  it('makes the box request the session, and ends the wait', async () => {
    await send({ vestibule: 'signed-in' });
    expect(test.taken()).to.deep.equal(['refresh', 'endWatch', ['go', { name: 'writing' }, timedOut]]);
  });

  it('counts if its window has closed since, or is of this page’s origin', async () => {
    await send({ vestibule: 'changed' }, { source: null });
    expect(test.taken()[0]).to.equal('refresh');
    await send({ vestibule: 'changed' }, { origin: location.origin });
    expect(test.taken()).to.deep.equal(['refresh']);
  });

  it('does not count if it comes from another origin or window', async () => {
    await send({ vestibule: 'changed' }, { origin: 'https://evil.example' });
    await send({ vestibule: 'changed' }, { source: window });
    await send(failure('forum-not-allowed').problem, { source: window });
    expect([test.taken(), sent]).to.deep.equal([[], []]);
  });

  it('does not count after the box was removed', async () => {
    controller.hostDisconnected();
    await send({ vestibule: 'changed' });
    expect(test.taken()).to.deep.equal([]);
  });

  it('of the BFF that the element names by now counts', async () => {
    controller.reconnect();
    await send({ vestibule: 'changed' });
    expect(test.taken().filter((call) => call === 'refresh')).to.have.length(1);
  });

  it('keeps what is announced', async () => {
    const announce = test.machine.announcement = { kind: 'error', error: 'empty' } as const;
    await send({ vestibule: 'changed' });
    expect(test.taken().at(-1)).to.deep.equal(['go', { name: 'writing' }, { announce }]);
  });

  it('names a failure that ended the sign-in', async () => {
    test.store.next = { view: anonymous, failure: undefined };
    await send({ vestibule: 'changed', instance: 'urn:x' });
    expect(test.taken().at(-1)).to.deep.equal(['go', { name: 'writing' }, { announce: { kind: 'notice', notice: 'declined', instance: 'urn:x' } }]);
  });

  it('announces that access was already allowed', async () => {
    test.store.next = { view: validating, failure: undefined };
    await send({ vestibule: 'already-granted' });
    expect(test.taken()).to.deep.equal(['refresh', 'endWatch', ['go', { name: 'writing' }, { announce: { kind: 'notice', notice: 'already-granted' } }]]);
  });

  it('leaves the wait if the sign-in goes on, or nothing is known', async () => {
    for (const view of [validating, undefined]) {
      test.store.next = { view, failure: undefined };
      await send({ vestibule: 'signed-in' });
      expect(test.taken()).to.deep.equal(['refresh']);
    }
  });

  it('causes a request and nothing else in another phase', async () => {
    test.machine.phase = { name: 'writing' };
    await send({ vestibule: 'signed-in' });
    expect(test.taken()).to.deep.equal(['refresh']);
  });

  it('tells a blocked cookie from a failed request and from another change', async () => {
    const { error } = console;
    const errors: string[] = [];
    console.error = (text: string) => { errors.push(text); };
    try {
      const failed = { problem: networkProblem };
      for (const [vestibule, next, isBlocked] of [
        ['signed-in', { view: anonymous, failure: undefined }, true], ['signed-in', { view: anonymous, failure: failed }, false],
        ['changed', { view: anonymous, failure: undefined }, false], ['signed-in', { view: signedIn, failure: undefined }, false],
      ] as const) {
        waitForWindow();
        test.store.next = next;
        await send({ vestibule });
        expect(test.taken().slice(1)).to.deep.equal([
          'endWatch', isBlocked ? ['go', { name: 'cookie-blocked' }, { focus: 'panel' }] : ['go', { name: 'writing' }, { announce: undefined }],
        ]);
        test.machine.phase = { name: 'writing' };
      }
      await until(() => errors.length > 0, 'the message');
      expect(errors).to.have.length(1);
      expect(errors[0]).to.contain('bff-on-another-site');
    } finally {
      console.error = error;
    }
  });
});

describe('a sign-out in another tab', () => {
  it('hides the text at once, and the wait for a window goes on', async () => {
    waitForWindow();
    test.store.next = { view: anonymous, failure: undefined };
    announceSessionChange(base, 'signed-out');
    await until(() => test.store.view === anonymous && test.store.next === undefined, 'the response');
    expect(test.taken()).to.deep.equal([['hideIfSignedOut', true], 'refresh']);
  });
});

describe('a refusal of the authorization request', () => {
  const { problem } = failure('forum-not-allowed');
  const explained = { ...problem, detail: 'explained' };

  beforeEach(() => {
    waitForWindow();
    answer = 'explained';
  });

  it('is shown in the box, and closes the window', async () => {
    await send({ vestibule: problem });
    expect(sent).to.deep.equal([['explainRefusal', `${page}#news popup true`]]);
    expect(test.taken()).to.deep.equal([
      'endWatch', ['go', { name: 'writing' }, { announce: { kind: 'problem', problem: explained }, focus: 'field' }], ['error', explained],
    ]);
    expect(opened).to.deep.equal(['close']);
  });

  it('of a window before is not', async () => {
    const before = lastWindow;
    let explain!: (detail: string) => void;
    answer = new Promise((resolve) => { explain = resolve; });
    await send({ vestibule: problem });
    controller.start();
    test.taken();
    explain('explained');
    await settled();
    await send({ vestibule: problem }, { source: before });
    expect(test.taken()).to.deep.equal([]);
  });

  it('is not if the box does not wait for the window any more', async () => {
    test.machine.phase = { name: 'writing' };
    await send({ vestibule: problem });
    expect([test.taken(), opened]).to.deep.equal([[], []]);
  });
});

describe('a page from the back/forward cache', () => {
  const restore = (persisted: boolean): boolean => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }));

  it('shows no step of the sign-in before', () => {
    for (const [name, calls] of [
      ['confirming-leave', [writing]], ['starting-sync', ['endWatch', writing]], ['validating', [writing]], ['waiting-for-window', ['endWatch', writing]],
      ['unconfirmed', []], ['cookie-blocked', []],
    ] as const) {
      test.machine.phase = { name } as Phase;
      restore(true);
      expect(test.taken(), name).to.deep.equal(calls);
    }
  });

  it('is no return from the sign-in', () => {
    setReturnMarker(draftKey);
    restore(false);
    restore(true);
    expect(takeReturnMarker(draftKey)).to.equal(false);
  });

  it('is not a page that has loaded', () => {
    test.machine.phase = { name: 'validating' };
    restore(false);
    expect(test.taken()).to.deep.equal([]);
  });
});
