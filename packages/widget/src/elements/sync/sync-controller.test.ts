import { expect } from '@open-wc/testing';
import {
  problemTypes, PROBLEM_TYPE_PREFIX, type FormField, type ProblemType, type SessionView, type SyncOutcome, type User,
} from '@vestibule/shared';
import { BffClient } from '../../client/bff-client.ts';
import { networkProblem } from '../../client/network-problem.ts';
import { BffError } from '../../client/problem.ts';
import { until } from '../../_until.ts';
import { readStoredAnswers, storeAnswers } from './answer-storage.ts';
import { SyncController } from './sync-controller.ts';
import { ScriptedBff } from './_scripted-bff.ts';

const ada: User = { user_id: '42', username: 'Ada' };
const bo: User = { user_id: '43', username: 'Bo' };
const syncReturn = { code: 'c0de', ...ada, audiencesync_uri: 'https://service.example/complete/' };
const granted = { kind: 'granted', syncReturn } as const;
const limits = { message_max_length: 100 };
const age: FormField = { name: 'age', type: 'number', label: 'Your age', required: true };
const completionUrl = 'https://service.example/complete/?success=1';
const owner = { bff: 'https://bff.example/', forum: 'news', userId: '42' };

type Reply = unknown;

function failure(type: ProblemType, more: object = {}): BffError {
  return new BffError({ type: `${PROBLEM_TYPE_PREFIX}${type}`, ...problemTypes[type], detail: '', ...more });
}

function offer(fields: readonly FormField[] = [age], more: Partial<SessionView> = {}, id = 'sync-1', user = ada): SessionView {
  return { state: 'validating', limits, sync: { id, user, forum: 'news', form: { fields } }, ...more };
}

function outcome(name: SyncOutcome['outcome'], url = completionUrl): SyncOutcome {
  return { outcome: name, completion_url: url } as SyncOutcome;
}

/** A controller, its element, and a BFF in this page. */
class Stage {
  /** Effects on the element and the page, in order. */
  readonly log: string[] = [];
  readonly sent: unknown[] = [];
  forum: string | undefined = 'news';
  by: 'browser' | 'page' | 'reader' = 'browser';
  isClosable = false;
  isPopup = false;
  updates = 0;
  readonly element = {
    isConnected: true,
    addController: () => {},
    removeController: () => {},
    updateComplete: Promise.resolve(true),
    requestUpdate: () => { this.updates += 1; },
  };

  readonly controller: SyncController;
  readonly #replies: Reply[];

  /** @param replies results of the requests: an error, a promise or a value */
  constructor(...replies: Reply[]) {
    this.#replies = replies;
    const { log } = this;
    const request = (name: string) => async (...all: unknown[]): Promise<unknown> => {
      const { signal } = all.pop() as { signal: AbortSignal };
      this.sent.push([name, ...all]);
      const reply = await this.#replies.shift();
      signal.throwIfAborted();
      if (reply instanceof Error) throw reply;
      return reply;
    };
    const client = {
      base: new URL('https://bff.example/'), getSession: request('session'), startSync: request('start'),
      validate: request('validate'), cancelSync: request('cancel'),
    } as unknown as BffClient;
    this.controller = new SyncController(this.element, {
      client: () => client, forum: () => this.forum, isPopup: () => this.isPopup,
      onState: (state) => void log.push(`state ${state}`),
      onProblem: ({ type }) => void log.push(`problem ${type.slice(PROBLEM_TYPE_PREFIX.length)}`),
      onOver: (change, instance) => void log.push(`over ${[change, instance].filter(Boolean).join(' ')}`),
      onFocus: (target) => void log.push(`focus ${target}`),
      onCompleted: (url, isClicked) => (log.push(`completed ${url}${isClicked ? ' at a click' : ''}`), isClicked ? 'browser' : this.by),
      closeWindow: () => (log.push('close'), this.isClosable),
    });
  }

  get step(): SyncController['state']['step'] {
    return this.controller.state.step;
  }

  get message(): SyncController['state']['message'] {
    return this.controller.state.message;
  }

  /** Effects since the last call. */
  takeLog(): string[] {
    return this.log.splice(0);
  }

  next(...replies: Reply[]): void {
    this.#replies.push(...replies);
  }
}

/** At the questions. */
async function atQuestions(view = offer()): Promise<Stage> {
  const stage = new Stage(view);
  stage.controller.begin(undefined);
  await settled();
  expect(stage.step.name).to.equal('questions');
  stage.takeLog();
  stage.sent.length = 0;
  return stage;
}

/** After the responses that are there. */
const settled = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve));

const answers = (value: string): Map<string, { value: string }> => new Map([['age', { value }]]);

afterEach(() => sessionStorage.clear());

describe('SyncController, at its beginning', () => {
  it('asks the reader of a granted callback first, and sends nothing', () => {
    const stage = new Stage();
    stage.controller.begin(granted);
    expect([stage.step, stage.sent, stage.log]).to.deep.equal([{ name: 'confirm', syncReturn, user: ada }, [], []]);
    expect(stage.updates).to.equal(1);
  });

  it('ends with the other callbacks', () => {
    storeAnswers(owner, answers('7'));
    for (const [kind, ending, over] of [
      ['denied', 'declined', 'over changed'], ['already-granted', 'already-granted', 'over already-granted'], ['invalid', 'invalid-return', 'over changed'],
    ] as const) {
      const stage = new Stage();
      stage.controller.begin({ kind });
      expect([stage.step, stage.log]).to.deep.equal([{ name: 'ended', ending, user: undefined, instance: undefined }, [over]]);
    }
    expect(readStoredAnswers(owner).size).to.equal(1);
  });

  it('closes its window after an earlier grant, and after no other ending', () => {
    for (const [kind, log] of [['already-granted', ['over already-granted', 'close']], ['denied', ['over changed']]] as const) {
      const stage = new Stage();
      stage.isPopup = true;
      stage.controller.begin({ kind });
      expect(stage.log).to.deep.equal(log);
    }
  });

  it('drops the response to an earlier request', async () => {
    const { promise, resolve } = Promise.withResolvers();
    const stage = new Stage(promise);
    stage.controller.begin(undefined);
    stage.controller.begin(granted);
    resolve(offer());
    await settled();
    expect([stage.step.name, stage.log]).to.deep.equal(['confirm', []]);
  });
});

describe('SyncController, find', () => {
  it('shows its request after the response to an earlier one', async () => {
    const [first, second] = [Promise.withResolvers(), Promise.withResolvers()];
    const stage = new Stage(first.promise, second.promise);
    stage.controller.begin(undefined);
    stage.controller.begin(undefined);
    first.resolve(offer());
    await settled();
    expect(stage.controller.state.request?.kind).to.equal('asking');
    second.resolve(offer());
    await settled();
    expect(stage.controller.state.request).to.equal(undefined);
  });

  it('shows the questions that the BFF offers, with the answers of that reader', async () => {
    storeAnswers(owner, answers('7'));
    const stage = new Stage(offer());
    stage.controller.begin(undefined);
    expect(stage.controller.state).to.deep.equal({ step: { name: 'loading' }, request: { kind: 'asking', isSlow: false }, message: undefined });
    await settled();
    const { step, request, message } = stage.controller.state;
    expect([request, message, stage.controller.forum]).to.deep.equal([undefined, undefined, 'news']);
    expect(step).to.deep.equal({ name: 'questions', sync: 'sync-1', user: ada, session: 'validating', fields: [age], initial: answers('7'), owner });
    expect(stage.log).to.deep.equal(['state validating']);
  });

  it('ends with what the session says', async () => {
    const instance = 'urn:vestibule:request:a';
    for (const [view, step, log, isKept] of [
      [{ state: 'signed-in', user: ada }, { ending: 'signed-in', user: ada }, ['state signed-in', 'over signed-in'], false],
      [{ state: 'anonymous', notice: 'declined', instance }, { ending: 'declined', instance }, ['state anonymous', `over changed ${instance}`], true],
      [{ state: 'anonymous', notice: 'rejected' }, { ending: 'rejected' }, ['state anonymous', 'over changed'], false],
      [{ state: 'anonymous' }, { ending: 'nothing-to-do' }, ['state anonymous'], true],
    ] as const) {
      storeAnswers(owner, answers('7'));
      const stage = new Stage({ ...view, limits });
      stage.controller.begin(undefined);
      await settled();
      expect(stage.step).to.deep.equal({ name: 'ended', user: undefined, instance: undefined, ...step });
      expect([stage.log, readStoredAnswers(owner).size === 1]).to.deep.equal([log, isKept]);
    }
  });

  it('lets the reader try again after a failure', async () => {
    const error = failure('service-unavailable');
    const stage = new Stage(error);
    stage.controller.begin(undefined);
    await settled();
    expect([stage.step, stage.message]).to.deep.equal([{ name: 'unavailable' }, { kind: 'problem', problem: error.problem }]);
    expect(stage.takeLog()).to.deep.equal(['problem service-unavailable']);
    stage.next(failure('service-unavailable'), offer());
    await stage.controller.find();
    expect(stage.takeLog()).to.deep.equal(['problem service-unavailable']);
    await stage.controller.find();
    expect([stage.step.name, stage.message, stage.takeLog()]).to.deep.equal(['questions', undefined, ['state validating', 'focus heading']]);
  });

  it('requests nothing during a request, and in another step', async () => {
    const stage = new Stage(offer());
    stage.controller.begin(undefined);
    await stage.controller.find();
    await settled();
    await stage.controller.find();
    expect(stage.sent).to.deep.equal([['session']]);
  });
});

describe('SyncController, start', () => {
  it('sends the callback with the forum of the page, if it has one', async () => {
    for (const [forum, body] of [['news', { ...syncReturn, forum: 'news' }], [undefined, syncReturn]] as const) {
      const stage = new Stage(offer());
      stage.forum = forum;
      stage.controller.begin(granted);
      const started = stage.controller.start();
      expect(stage.controller.state.request).to.deep.equal({ kind: 'starting', isSlow: false });
      await Promise.all([started, stage.controller.start()]);
      expect([stage.sent, stage.step.name, stage.takeLog()]).to.deep.equal([[['start', body]], 'questions', ['state validating', 'focus heading']]);
      await stage.controller.start();
      expect(stage.sent).to.have.length(1);
    }
  });

  it('sends no answers if there are no questions', async () => {
    const stage = new Stage(offer([]), outcome('accepted'));
    stage.controller.begin(granted);
    await stage.controller.start();
    expect(stage.sent[1]).to.deep.equal(['validate', { sync: 'sync-1', username: 'Ada', answers: {} }]);
    expect(stage.step.name).to.equal('leaving');
  });

  it('ends if the reader is signed in already', async () => {
    const stage = new Stage({ state: 'signed-in', user: ada, limits });
    stage.controller.begin(granted);
    await stage.controller.start();
    expect(stage.step).to.deep.include({ name: 'ended', ending: 'signed-in' });
  });

  it('stays where the reader may try again', async () => {
    const stage = new Stage(failure('service-unavailable'));
    stage.controller.begin(granted);
    await stage.controller.start();
    expect([stage.step.name, stage.message?.kind, stage.log]).to.deep.equal(['confirm', 'problem', ['problem service-unavailable']]);
  });

  it('fails where it cannot be continued', async () => {
    for (const error of [failure('forum-not-allowed'), failure('user-changed', { user: bo })]) {
      const stage = new Stage(error);
      stage.controller.begin(granted);
      await stage.controller.start();
      expect(stage.step).to.deep.equal({ name: 'failed', problem: error.problem });
      expect(stage.log).to.deep.equal(['focus heading', `problem ${error.type}`, 'over changed']);
    }
  });
});

describe('SyncController, submit', () => {
  it('sends the answers of the offered sign-in, and leaves', async () => {
    const stage = await atQuestions();
    stage.next(outcome('accepted'));
    const submitted = stage.controller.submit(answers('7'));
    expect(readStoredAnswers(owner)).to.deep.equal(answers('7'));
    expect(stage.controller.state.request?.kind).to.equal('sending');
    await Promise.all([submitted, stage.controller.submit(answers('8'))]);
    expect(stage.sent).to.deep.equal([['validate', { sync: 'sync-1', username: 'Ada', answers: { age: 7 } }]]);
    expect(stage.step).to.deep.equal({ name: 'leaving', outcome: outcome('accepted'), user: ada, by: 'browser' });
    expect(stage.takeLog()).to.deep.equal(['state signed-in', 'over signed-in', `completed ${completionUrl}`, 'focus heading']);
    expect(readStoredAnswers(owner).size).to.equal(0);
    await stage.controller.submit(answers('7'));
    expect(stage.sent).to.have.length(1);
    stage.controller.leaveNow();
    expect(stage.takeLog()).to.deep.equal([`completed ${completionUrl} at a click`]);
  });

  it('leaves the navigation to a page that takes it over', async () => {
    const stage = await atQuestions();
    stage.by = 'page';
    stage.next(outcome('accepted'));
    await stage.controller.submit(answers('7'));
    expect(stage.step).to.deep.equal({ name: 'leaving', outcome: outcome('accepted'), user: ada, by: 'page' });
  });

  it('leaves at the reader’s click where the element must not leave by itself', async () => {
    const stage = await atQuestions();
    stage.by = 'reader';
    stage.next(outcome('accepted'));
    await stage.controller.submit(answers('7'));
    expect(stage.step).to.deep.equal({ name: 'leaving', outcome: outcome('accepted'), user: ada, by: 'reader' });
    stage.controller.leaveNow();
    expect(stage.step).to.deep.equal({ name: 'leaving', outcome: outcome('accepted'), user: ada, by: 'browser' });
  });

  it('shows a format error, and sends nothing', async () => {
    const stage = await atQuestions();
    await stage.controller.submit(answers(''));
    expect([stage.message, stage.takeLog(), stage.sent]).to.deep.equal([
      { kind: 'answers', errors: new Map([['age', 'required']]) }, ['focus first-error'], [],
    ]);
  });

  it('shows the BFF’s errors of the answers, or its problem without any', async () => {
    const stage = await atQuestions();
    stage.next(failure('invalid-answers', { fields: { age: 'Too young' } }), failure('invalid-answers'), failure('invalid-request', { fields: { age: 'x' } }));
    await stage.controller.submit(answers('7'));
    expect([stage.message, stage.takeLog()]).to.deep.equal([
      { kind: 'answers', errors: new Map([['age', { message: 'Too young' }]]) }, ['problem invalid-answers', 'focus first-error'],
    ]);
    await stage.controller.submit(answers('7'));
    expect([stage.message?.kind, stage.takeLog()]).to.deep.equal(['problem', ['problem invalid-answers']]);
    await stage.controller.submit(answers('7'));
    expect(stage.step.name).to.equal('failed');
  });

  it('shows why the reader was rejected, until they have read it', async () => {
    for (const session of ['validating', 'signed-in'] as const) {
      const stage = await atQuestions(offer([age], { state: session }));
      stage.next(outcome('rejected'));
      await stage.controller.submit(answers('7'));
      expect(stage.step).to.deep.equal({ name: 'rejected', outcome: outcome('rejected'), user: ada });
      expect(stage.takeLog()).to.deep.equal([...(session === 'signed-in' ? [] : ['state anonymous']), 'over changed', 'focus heading']);
      stage.controller.acknowledge();
      expect([stage.step.name, stage.takeLog()]).to.deep.equal(['leaving', [`completed ${completionUrl} at a click`, 'focus heading']]);
      stage.controller.acknowledge();
      expect(stage.takeLog()).to.deep.equal([]);
    }
  });

  it('fails without a usable completion URL', async () => {
    const stage = await atQuestions();
    stage.next(outcome('accepted', 'javascript:1'));
    await stage.controller.submit(answers('7'));
    expect([stage.step.name, stage.takeLog()]).to.deep.equal([
      'failed', ['state signed-in', 'over signed-in', 'focus heading', 'problem bad-service-response', 'over changed'],
    ]);
  });

  it('asks again under another name that the exchange has returned', async () => {
    const stage = await atQuestions();
    const error = failure('user-changed', { user: bo });
    stage.next(error, failure('user-changed'));
    await stage.controller.submit(answers('7'));
    expect([stage.step.name === 'questions' && stage.step.user, stage.message]).to.deep.equal([bo, { kind: 'problem', problem: error.problem }]);
    expect(stage.takeLog()).to.deep.equal(['problem user-changed', 'focus heading']);
    await stage.controller.submit(answers('7'));
    expect([stage.sent.map((all) => ((all as unknown[])[1] as { username: string }).username), stage.step.name]).to.deep.equal([['Ada', 'Bo'], 'failed']);
  });
});

describe('SyncController, recovery from a response that may have been lost', () => {
  const later = [
    ['the sign-in that is still offered', 'no-sync-in-progress', offer(), 'questions', undefined],
    ['a newer sign-in', 'no-sync-in-progress', offer([age], {}, 'sync-2', bo), 'questions', 'superseded'],
    ['the session of the reader', 'outcome-unknown', { state: 'signed-in', user: ada, limits }, 'ended', undefined],
    ['no session of another reader', 'outcome-unknown', { state: 'signed-in', user: bo, limits }, 'failed', undefined],
    ['no session of the reader that has ended', 'no-sync-in-progress', { state: 'anonymous', user: ada, limits }, 'failed', undefined],
    ['no offer after an uncertain outcome', 'outcome-unknown', offer(), 'failed', undefined],
    ['no session without a reader', 'outcome-unknown', { state: 'signed-in', limits }, 'failed', undefined],
    ['no empty session', 'no-sync-in-progress', { state: 'anonymous', limits }, 'failed', undefined],
  ] as const;
  for (const [name, type, view, step, message] of later) {
    it(`takes up ${name}`, async () => {
      const stage = await atQuestions();
      stage.next(failure(type), view);
      await stage.controller.submit(answers('7'));
      expect([stage.step.name, stage.message?.kind, stage.sent.length]).to.deep.equal([step, message, 2]);
    });
  }

  it('stays if the session cannot be requested', async () => {
    const stage = await atQuestions();
    stage.next(failure('outcome-unknown'), new BffError(networkProblem));
    await stage.controller.submit(answers('7'));
    expect([stage.step.name, stage.message?.kind, stage.takeLog()]).to.deep.equal(['questions', 'problem', ['problem network']]);
  });

  it('takes up no offer of another reader before the first questions', async () => {
    const stage = new Stage(failure('code-already-used'), offer([age], {}, 'sync-2', bo));
    stage.controller.begin(granted);
    await stage.controller.start();
    expect(stage.step.name).to.equal('failed');
  });
});

describe('SyncController, cancel', () => {
  it('sends nothing if the callback was not sent', async () => {
    storeAnswers(owner, answers('7'));
    const stage = new Stage();
    stage.controller.begin(granted);
    await stage.controller.cancel();
    expect([stage.step, stage.sent, stage.log]).to.deep.equal([
      { name: 'ended', ending: 'cancelled', user: undefined, instance: undefined }, [], ['focus heading', 'over changed'],
    ]);
    expect(readStoredAnswers(owner).size).to.equal(0);
    await stage.controller.cancel();
    expect(stage.sent).to.deep.equal([]);
  });

  it('cancels the offered sign-in once, and leaves', async () => {
    const stage = await atQuestions();
    stage.next(outcome('cancelled'));
    const cancelled = stage.controller.cancel();
    expect(stage.controller.state.request?.kind).to.equal('cancelling');
    await Promise.all([cancelled, stage.controller.cancel()]);
    expect([stage.sent, stage.step.name]).to.deep.equal([[['cancel', { sync: 'sync-1' }]], 'leaving']);
    expect(stage.takeLog()).to.deep.equal(['state anonymous', 'over changed', `completed ${completionUrl}`, 'focus heading']);
  });

  it('ends if the sign-in has gone, and stays where the reader may try again', async () => {
    const stage = await atQuestions();
    stage.next(failure('service-unavailable'), failure('no-sync-in-progress'), { state: 'anonymous', limits });
    await stage.controller.cancel();
    expect(stage.step.name).to.equal('questions');
    await stage.controller.cancel();
    expect(stage.step).to.deep.include({ name: 'ended', ending: 'cancelled' });
  });
});

describe('SyncController, in its other methods', () => {
  it('closes the window of an ending, and says if the browser keeps it open', async () => {
    const stage = new Stage(failure('forum-not-allowed'));
    stage.controller.closeWindow();
    stage.controller.begin({ kind: 'denied' });
    stage.isClosable = true;
    stage.controller.closeWindow();
    expect(stage.step).not.to.have.property('isWindowStuck');
    stage.isClosable = false;
    stage.controller.closeWindow();
    expect(stage.step).to.deep.include({ name: 'ended', ending: 'declined', isWindowStuck: true });
    stage.controller.begin(granted);
    stage.controller.closeWindow();
    expect(stage.log.filter((entry) => entry === 'close')).to.have.length(2);
    await stage.controller.start();
    stage.controller.closeWindow();
    expect(stage.step).to.deep.include({ name: 'failed', isWindowStuck: true });
  });

  it('navigates again only while it leaves', () => {
    const stage = new Stage();
    stage.controller.begin(granted);
    stage.controller.leaveNow();
    stage.controller.acknowledge();
    expect(stage.log).to.deep.equal([]);
  });

  it('keeps answers of the questions only', async () => {
    const stage = await atQuestions();
    stage.controller.keep(answers('7'));
    stage.controller.keep(new Map());
    expect(readStoredAnswers(owner)).to.deep.equal(answers('7'));
    stage.controller.begin(granted);
    stage.controller.keep(answers('8'));
    expect(readStoredAnswers(owner)).to.deep.equal(answers('7'));
  });

  it('removes the error of a corrected answer, and the BFF’s at the first change', async () => {
    const height: FormField = { ...age, name: 'height', type: 'text' };
    const stage = await atQuestions(offer([age, height]));
    stage.controller.recheck('age', { value: '7' });
    expect(stage.message).to.equal(undefined);
    await stage.controller.submit(new Map());
    stage.controller.recheck('age', { value: '' });
    stage.controller.recheck('other', { value: '7' });
    expect(stage.message).to.deep.equal({ kind: 'answers', errors: new Map([['age', 'required'], ['height', 'required']]) });
    stage.controller.recheck('age', { value: '7' });
    expect(stage.message).to.deep.equal({ kind: 'answers', errors: new Map([['height', 'required']]) });
    stage.controller.recheck('height', { value: 'tall' });
    expect(stage.message).to.equal(undefined);
    stage.next(failure('invalid-answers', { fields: { age: 'No', unknown: 'No' } }));
    await stage.controller.submit(new Map([['age', { value: '7' }], ['height', { value: '7' }]]));
    stage.controller.recheck('age', { value: '' });
    stage.controller.recheck('unknown', { value: '' });
    expect(stage.message).to.equal(undefined);
  });

  it('changes no other message', async () => {
    const stage = await atQuestions();
    stage.next(failure('service-unavailable'));
    await stage.controller.submit(answers('7'));
    stage.controller.recheck('age', { value: '8' });
    expect(stage.message?.kind).to.equal('problem');
  });

  it('rejects with an error that is no failure of a request', async () => {
    const stage = await atQuestions();
    stage.next(new Error('of the code'));
    expect(await stage.controller.submit(answers('7')).catch((error: Error) => error.message)).to.equal('of the code');
    expect(stage.controller.state.request).to.equal(undefined);
  });
});

describe('SyncController, of an element that is removed', () => {
  it('drops the response, and requests the session again when it is put back', async () => {
    const { promise, resolve } = Promise.withResolvers();
    const stage = new Stage(promise, offer());
    stage.controller.begin(undefined);
    stage.element.isConnected = false;
    stage.controller.hostDisconnected();
    await settled();
    resolve(offer());
    await settled();
    expect([stage.step.name, stage.controller.state.request, stage.log]).to.deep.equal(['loading', undefined, []]);
    stage.element.isConnected = true;
    stage.controller.hostConnected();
    await settled();
    expect([stage.step.name, stage.sent.length]).to.deep.equal(['questions', 2]);
    stage.controller.hostConnected();
    expect(stage.sent).to.have.length(2);
  });

  it('requests the session again at once when it is put back, although the aborted request has not settled', async () => {
    const stage = new Stage(new Promise(() => {}), offer());
    stage.controller.begin(undefined);
    stage.element.isConnected = false;
    stage.controller.hostDisconnected();
    await settled();
    stage.element.isConnected = true;
    stage.controller.hostConnected();
    await settled();
    expect([stage.step.name, stage.controller.state.request, stage.sent.length]).to.deep.equal(['questions', undefined, 2]);
  });

  it('keeps the request of an element that is moved', async () => {
    const { promise, resolve } = Promise.withResolvers();
    const stage = new Stage(promise);
    stage.controller.begin(undefined);
    stage.controller.hostDisconnected();
    stage.controller.hostConnected();
    await settled();
    resolve(offer());
    await settled();
    expect([stage.step.name, stage.sent.length]).to.deep.equal(['questions', 1]);
  });

  it('requests nothing before its beginning', async () => {
    const stage = new Stage();
    stage.controller.hostConnected();
    stage.element.isConnected = false;
    stage.controller.hostDisconnected();
    await settled();
    expect(stage.sent).to.deep.equal([]);
  });

  const steps = {
    find: async () => {
      const stage = new Stage(failure('service-unavailable'));
      stage.controller.begin(undefined);
      await settled();
      return stage;
    },
    start: () => {
      const stage = new Stage();
      stage.controller.begin(granted);
      return Promise.resolve(stage);
    },
    submit: atQuestions,
    cancel: atQuestions,
  };
  for (const name of Object.keys(steps) as (keyof typeof steps)[]) {
    it(`drops the response to ${name}, and requests nothing when it is put back`, async () => {
      const stage = await steps[name]();
      const { promise, resolve } = Promise.withResolvers();
      stage.next(promise);
      const { step } = stage;
      const sent = stage.controller[name](answers('7'));
      stage.takeLog();
      const requests = stage.sent.length;
      stage.element.isConnected = false;
      stage.controller.hostDisconnected();
      await settled();
      resolve(name === 'find' || name === 'start' ? offer() : outcome('accepted'));
      await sent;
      stage.controller.hostConnected();
      expect([stage.step, stage.takeLog(), stage.sent.length]).to.deep.equal([step, [], requests]);
    });
  }

  it('drops the response that would settle a lost one', async () => {
    const stage = await atQuestions();
    const { promise, resolve } = Promise.withResolvers();
    stage.next(failure('outcome-unknown'), promise);
    const submitted = stage.controller.submit(answers('7'));
    await settled();
    expect(stage.controller.state.request?.kind).to.equal('asking');
    stage.element.isConnected = false;
    stage.controller.hostDisconnected();
    await settled();
    resolve(offer());
    await submitted;
    expect([stage.step.name, stage.takeLog()]).to.deep.equal(['questions', []]);
  });
});

describe('SyncController, in time', () => {
  it('calls a request slow after a while', async () => {
    const bff = new ScriptedBff();
    await bff.script({ answers: { 'GET /session': [{ hold: 'answer' }] } });
    const client = new BffClient(new URL(bff.url));
    const nothing = () => {};
    const updateComplete = Promise.resolve(true);
    const host = { isConnected: true, addController: nothing, removeController: nothing, requestUpdate: nothing, updateComplete };
    const controller = new SyncController(host, {
      client: () => client, forum: () => 'news', onState: nothing, onProblem: nothing, onOver: nothing, onFocus: nothing,
      onCompleted: () => 'browser', closeWindow: () => false, isPopup: () => false,
    }, 20);

    controller.begin(undefined);
    expect(controller.state.request?.isSlow).to.equal(false);
    await until(() => controller.state.request?.isSlow, 'the wait is slow');
    expect(controller.state.request?.kind).to.equal('asking');
    await bff.release('answer');
    await until(() => controller.state.request === undefined, 'the wait is over');
  });

  it('has no timer after the response, and none of an element that is removed', async () => {
    const { setTimeout, clearTimeout } = window;
    const timers = new Map<unknown, number | undefined>();
    Object.assign(window, {
      setTimeout: (run: () => void, ms?: number) => {
        const timer = setTimeout(run, ms);
        timers.set(timer, ms);
        return timer;
      },
      clearTimeout: (timer: number) => {
        timers.delete(timer);
        clearTimeout(timer);
      },
    });
    try {
      const stage = new Stage(offer());
      stage.controller.begin(granted);
      const started = stage.controller.start();
      expect([...timers.values()]).to.deep.equal([5000]);
      await started;
      expect([...timers.values()]).to.deep.equal([]);

      const removed = new Stage(new Promise(() => {}));
      removed.controller.begin(undefined);
      expect([...timers.values()]).to.deep.equal([5000]);
      removed.element.isConnected = false;
      removed.controller.hostDisconnected();
      await Promise.resolve();
      expect([...timers.values()]).to.deep.equal([]);
    } finally {
      Object.assign(window, { setTimeout, clearTimeout });
    }
  });
});
