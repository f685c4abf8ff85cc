import { expect } from '@open-wc/testing';
import { problemTypes, PROBLEM_TYPE_PREFIX } from '@vestibule/shared';
import { BffError } from '../../client/problem.ts';
import { Draft } from '../../drafts/draft.ts';
import { until } from '../../_until.ts';
import { SignOutController } from './sign-out-controller.ts';
import { anonymous, base, draftKey, message, settled, signedIn, TestContext } from './_test-context.ts';

const writing = { name: 'writing' };
const began = ['submission.abort', 'signIn.stopWaiting', ['go', { name: 'signing-out' }]];
const ended = ['close', ['go', writing, { announce: message('signedOut'), focus: 'field' }]];
const unavailable = new BffError({ type: `${PROBLEM_TYPE_PREFIX}service-unavailable`, ...problemTypes['service-unavailable'], detail: '' });
const failed = [
  ['announce', { kind: 'problem', problem: unavailable.problem }], ['error', unavailable.problem],
  ['go', writing, { announce: { kind: 'problem', problem: unavailable.problem }, focus: 'field' }], 'refresh',
];

/** What the BFF responds, one after the other. Default: success. */
let answers: (Error | Promise<unknown>)[];
let sent: number;
/** What other tabs receive. */
let announced: unknown[];
let channel: BroadcastChannel;
let test: TestContext;
let controller: SignOutController;

beforeEach(() => {
  answers = [];
  sent = 0;
  announced = [];
  channel = new BroadcastChannel(`vestibule ${base.href}`);
  channel.onmessage = ({ data }) => { announced.push(data); };
  test = new TestContext({
    signOut: async () => {
      sent += 1;
      const answer = await answers.shift();
      if (answer instanceof Error) throw answer;
    },
  });
  test.store.view = signedIn;
  for (const account of ['42', '43']) test.write(`of ${account}`, account);
  controller = new SignOutController(test.context, test.recorder('signIn'), test.recorder('submission'));
  controller.onSession(signedIn);
});

afterEach(() => {
  channel.close();
  localStorage.clear();
});

/** Accounts whose drafts are stored. */
function stored(): string[] {
  return ['42', '43'].filter((account) => new Draft({ ...draftKey, account }).text !== '');
}

describe('requestConfirmation()', () => {
  it('asks before text is lost', () => {
    test.drafts.wouldLoseText = true;
    controller.requestConfirmation();
    expect([test.taken(), sent]).to.deep.equal([[['go', { name: 'confirming-sign-out' }, { focus: 'panel' }]], 0]);
  });

  it('signs out at once without text', async () => {
    controller.requestConfirmation();
    expect(test.taken()).to.deep.equal(began);
    await settled();
    expect(sent).to.equal(1);
  });
});

describe('signOut()', () => {
  it('ends the session, removes the text of its account, and tells other tabs', async () => {
    await controller.signOut();
    expect(test.taken()).to.deep.equal([...began, ...ended, 'markEnded']);
    expect(stored()).to.deep.equal(['43']);
    await until(() => announced.length > 0, 'the message');
    expect(announced).to.deep.equal([{ vestibule: 'signed-out' }]);
  });

  it('removes the text of the account that the box shows if the session names none', async () => {
    for (const [account, begin, left] of [
      ['43', () => controller.reset(), ['42']], ['42', () => controller.onSession(anonymous), []],
    ] as const) {
      test.host.draft = new Draft({ ...draftKey, account });
      begin();
      await controller.signOut();
      expect(stored()).to.deep.equal(left);
    }
  });

  it('removes the text of the account that was known last, and of no other, if the view was forgotten', async () => {
    test.store.view = undefined;
    test.host.draft = new Draft(draftKey);
    await controller.signOut();
    expect(stored()).to.deep.equal(['43']);
  });

  it('joins a request in flight, and sends another one after it', async () => {
    const first = controller.signOut();
    expect(controller.signOut()).to.equal(first);
    await first;
    expect(sent).to.equal(1);
    await controller.signOut();
    expect(sent).to.equal(2);
  });

  it('keeps the text after a failure, which it shows, and requests the session', async () => {
    answers.push(unavailable);
    await controller.signOut();
    expect(test.taken()).to.deep.equal([...began, ...failed]);
    expect(stored()).to.deep.equal(['42', '43']);
    await settled();
    expect(announced).to.deep.equal([]);
    await controller.signOut();
    expect(sent, 'the second attempt').to.equal(2);
  });
});

it('a sign-out that fails changes nothing in a box that shows something else by then', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  answers.push(promise);
  const settles = controller.signOut();
  test.machine.phase = { name: 'validating' };
  resolve(unavailable);
  await settles;
  expect(test.taken()).to.deep.equal([...began, failed[1], 'refresh']);
});

describe('a sign-out whose response is lost', () => {
  beforeEach(async () => {
    answers.push(unavailable);
    await controller.signOut();
    test.taken();
  });

  it('is done if the session has ended', () => {
    controller.onSession(anonymous);
    expect([test.taken(), stored()]).to.deep.equal([ended, ['43']]);
    controller.onSession(anonymous);
    expect(test.taken(), 'a later view').to.deep.equal([]);
  });

  it('is not done if the reader is still signed in', () => {
    controller.onSession(signedIn);
    controller.onSession(anonymous);
    expect([test.taken(), stored()]).to.deep.equal([[], ['42', '43']]);
  });

  it('leaves a text that was written since with its account', () => {
    test.host.draft.text = 'written since';
    controller.onSession(anonymous);
    expect([test.taken(), stored()]).to.deep.equal([[], ['42', '43']]);
  });

  it('is done if the box shows another draft by then', () => {
    test.host.draft = new Draft({ ...draftKey, account: '43' });
    controller.onSession(anonymous);
    expect([test.taken(), stored()]).to.deep.equal([ended, ['43']]);
  });

  it('is settled by the next one that succeeds', async () => {
    await controller.signOut();
    test.taken();
    controller.onSession(anonymous);
    expect(test.taken()).to.deep.equal([]);
  });

  it('does not concern another BFF', () => {
    controller.reset();
    controller.onSession(anonymous);
    expect([test.taken(), stored()]).to.deep.equal([[], ['42', '43']]);
  });
});

describe('a sign-out of the BFF that the element named before', () => {
  let respond: (answer?: Error) => void;
  let signOut: Promise<void>;

  beforeEach(() => {
    answers.push(new Promise((resolve) => { respond = resolve; }));
    signOut = controller.signOut();
    test.taken();
    test.changeStore();
    controller.reset();
  });

  it('removes the text, and changes nothing in the box', async () => {
    const former = test.store;
    respond();
    await signOut;
    expect([test.taken(), stored(), test.store]).to.deep.equal([['markEnded'], ['43'], former]);
    await until(() => announced.length > 0, 'the message');
    expect(announced).to.deep.equal([{ vestibule: 'signed-out' }]);
  });

  it('reports a failure, and changes nothing in the box', async () => {
    respond(unavailable);
    await signOut;
    expect([test.taken(), stored()]).to.deep.equal([[['error', unavailable.problem]], ['42', '43']]);
    controller.onSession(anonymous);
    expect(test.taken()).to.deep.equal([]);
  });

  it('joins no sign-out of the present BFF, before its response and after it', async () => {
    let finish!: () => void;
    test.changeStore({ signOut: () => new Promise<void>((resolve) => { finish = resolve; }) });
    const second = controller.signOut();
    expect(second).not.to.equal(signOut);
    respond();
    await signOut;
    await settled();
    expect(controller.signOut(), 'the one in flight').to.equal(second);
    finish();
    await second;
  });
});
