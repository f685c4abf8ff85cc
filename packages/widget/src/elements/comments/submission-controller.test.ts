import { expect } from '@open-wc/testing';
import { problemTypes, PROBLEM_TYPE_PREFIX, type NewPost, type Post, type SessionView } from '@vestibule/shared';
import { networkProblem } from '../../client/network-problem.ts';
import { BffError, type WidgetProblem, type WidgetProblemType } from '../../client/problem.ts';
import { Draft } from '../../drafts/draft.ts';
import type { OwnPost } from '../../drafts/own-posts.ts';
import { SubmissionController } from './submission-controller.ts';
import { PAGE_MAX_LENGTH } from './submission.ts';
import { ada, anonymous, draftKey, message, settled, signedIn, TestContext } from './_test-context.ts';

let answers: (Post | Error | Promise<Post>)[];
let sent: { readonly post: NewPost; readonly key: string; readonly signal: AbortSignal | undefined }[];
let test: TestContext;
let controller: SubmissionController;

beforeEach(() => {
  answers = [];
  sent = [];
  test = new TestContext({
    createPost: async (post: NewPost, key: string, { signal }: { signal?: AbortSignal } = {}) => {
      sent.push({ post, key, signal });
      const answer = await (answers.shift() ?? { id: '1' });
      if (answer instanceof Error) throw answer;
      return { post: answer };
    },
  });
  test.store.view = signedIn;
  controller = new SubmissionController(test.context);
});

afterEach(() => {
  controller.abort();
  localStorage.clear();
});

function failure(type: WidgetProblemType, more: Partial<WidgetProblem> = {}): BffError {
  return new BffError({ type: `${PROBLEM_TYPE_PREFIX}${type}`, ...problemTypes[type as 'post-rejected'], detail: '', ...more });
}

/** Posts a text. @param view of the session when the response arrives @returns what the controller does then */
async function post(text: string, answer: Post | Error, view: SessionView | undefined = signedIn): Promise<unknown[]> {
  test.write(text, '42');
  test.store.view = signedIn;
  answers.push(answer);
  controller.submit(text);
  expect(test.taken()).to.deep.equal([posting]);
  test.store.view = view;
  await settled();
  return test.taken();
}

const posting = ['go', { name: 'posting', retryInSeconds: undefined }];
const writing = { name: 'writing' };
const notPostedYet = ['go', writing, { announce: message('notPostedYet'), focus: 'field' }];

describe('submit()', () => {
  it('posts for a reader who is signed in', async () => {
    expect((await post('hello', { id: '1' })).at(-1)).to.deep.equal(['posted', { post: { id: '1' } }]);
    expect(sent.map((one) => one.post)).to.deep.equal([{ forum: 'news', message: 'hello', page: draftKey.page, expected_user_id: '42' }]);
  });

  it('requests the session first if the reader is not known to be signed in', () => {
    test.write('hello', '42');
    test.store.view = undefined;
    controller.submit('hello');
    expect(test.taken()).to.deep.equal([['go', { name: 'checking-session', message: 'hello' }], 'refresh']);
  });

  it('posts nothing but the text that the reader saw', async () => {
    test.write('of another tab', '42');
    controller.submit('hello');
    await settled();
    expect([test.taken(), sent]).to.deep.equal([[notPostedYet], []]);
  });

  it('posts nothing blank, or longer than the limit', async () => {
    for (const [text, error] of [[' \n', 'empty'], ['elevenchars', 'too-long']] as const) {
      test.write(text, '42');
      controller.submit(text);
      await settled();
      expect([test.taken(), sent]).to.deep.equal([[['go', writing, { announce: { kind: 'error', error }, focus: 'field' }]], []]);
    }
    await post('tenletters', { id: '1' });
    expect(sent).to.have.length(1);
  });

  it('posts well-formed text', async () => {
    test.write('a\uD800', '42');
    controller.submit(test.host.field.value);
    await settled();
    expect(sent[0]?.post.message).to.equal('a\uFFFD');
  });

  it('names the page if the BFF accepts it', async () => {
    for (const [length, isNamed] of [[PAGE_MAX_LENGTH, true], [PAGE_MAX_LENGTH + 1, false]] as const) {
      test.host.draft = new Draft({ ...draftKey, page: 'https://www.example.com/'.padEnd(length, 'x') });
      test.host.field.value = 'hello';
      controller.submit('hello');
      await settled();
      expect('page' in sent.at(-1)!.post, String(length)).to.equal(isNamed);
    }
  });

  it('names the account that the box shows, else that of the draft, else none', async () => {
    const bo = { user_id: '43', username: 'Bo' };
    for (const [view, account, expected] of [
      [{ ...signedIn, user: bo }, '42', '43'], [anonymous, '42', '42'], [undefined, '42', '42'], [undefined, '', undefined],
    ] as const) {
      test.write('hello', account);
      test.store.view = view;
      controller.postAgain();
      await settled();
      expect(sent.at(-1)!.post.expected_user_id).to.equal(expected);
      expect('expected_user_id' in sent.at(-1)!.post).to.equal(expected !== undefined);
    }
  });

  it('reports an error of the code, and lets the reader try again', async () => {
    const error = new Error('of the code');
    const { reportError } = window;
    const reported: unknown[] = [];
    window.reportError = (reason: unknown) => { reported.push(reason); };
    try {
      const announce = { kind: 'uncertain', problem: networkProblem };
      expect(await post('hello', error)).to.deep.equal([['go', writing, { announce }], ['error', networkProblem]]);
      expect(reported).to.deep.equal([error]);
    } finally {
      window.reportError = reportError;
    }
  });
});

describe('onSession()', () => {
  beforeEach(() => {
    test.write('hello', '42');
    test.store.view = undefined;
    controller.submit('hello');
    test.taken();
  });

  it('posts the text once the reader is known to be signed in', async () => {
    test.store.view = signedIn;
    controller.onSession();
    await settled();
    expect(sent.map((one) => one.post.message)).to.deep.equal(['hello']);
  });

  it('posts nothing if another box has posted the text meanwhile', async () => {
    test.store.view = signedIn;
    test.drafts.follow = () => { test.host.field.value = ''; };
    controller.onSession();
    await settled();
    expect(sent).to.deep.equal([]);
    expect(test.taken()).to.deep.equal([['go', writing, { announce: undefined, focus: 'field' }]]);
  });

  it('posts nothing if the text has changed meanwhile', async () => {
    test.store.view = signedIn;
    test.host.field.value = 'of another tab';
    controller.onSession();
    await settled();
    expect([test.taken(), sent]).to.deep.equal([[notPostedYet], []]);
  });

  it('waits for the response to the request', () => {
    test.store.isFetching = true;
    controller.onSession();
    expect(test.taken()).to.deep.equal([]);
  });

  it('does nothing in another phase', async () => {
    test.machine.phase = { name: 'writing' };
    test.store.view = signedIn;
    controller.onSession();
    await settled();
    expect([test.taken(), sent]).to.deep.equal([[], []]);
  });

  it('asks a reader who is signed out to sign in, and says nothing beside a failure', () => {
    const failed = failure('internal-error');
    for (const [view, error, announce] of [
      [anonymous, undefined, message('signInFirst')], [undefined, undefined, undefined],
      [anonymous, failed, undefined], [signedIn, failed, undefined],
    ] as const) {
      test.machine.phase = { name: 'checking-session', message: 'hello' };
      Object.assign(test.store, { view, failure: error });
      controller.onSession();
      expect(test.taken()).to.deep.equal([['go', writing, { announce }]]);
    }
    expect(sent).to.deep.equal([]);
  });
});

describe('a submission in flight', () => {
  let respond: (created: Post) => void;
  beforeEach(() => {
    test.write('hello', '42');
    answers.push(new Promise((resolve) => { respond = resolve; }));
    controller.submit('hello');
    test.taken();
  });

  it('ends with abort(), without a transition or an error, and its response changes nothing', async () => {
    controller.abort();
    expect(sent[0]?.signal?.aborted).to.equal(true);
    respond({ id: '1' });
    await settled();
    expect([test.taken(), test.drafts.added]).to.deep.equal([[], []]);
  });

  it('ends at the reader’s wish', () => {
    controller.stopRetrying();
    expect(sent[0]?.signal?.aborted).to.equal(true);
    expect(test.taken()).to.deep.equal([['go', writing, { announce: message('stopped'), focus: 'field' }]]);
  });
});

describe('a submission that waits for another attempt', () => {
  it('ends with abort() as well', async () => {
    test.write('hello', '42');
    answers.push(failure('service-unavailable'));
    controller.submit('hello');
    await settled();
    expect(test.taken().flat().length, 'the attempt and the wait').to.equal(4);
    expect((test.machine.phase as { retryInSeconds?: number }).retryInSeconds).to.be.above(0);
    controller.abort();
    await settled();
    expect(test.taken()).to.deep.equal([]);
  });
});

describe('a comment that may have been posted', () => {
  it('waits for the reader’s decision', async () => {
    const outcome = failure('outcome-unknown');
    expect(await post('hello', outcome)).to.deep.equal([
      ['go', { name: 'unconfirmed', message: 'hello', problem: outcome.problem }, { focus: 'panel' }],
      ['error', outcome.problem],
    ]);
  });

  it('is cleared once the reader has found it, and only in that phase', async () => {
    await post('hello', failure('outcome-unknown'));
    controller.confirmPosted();
    expect(test.taken()).to.deep.equal(['showDraft', ['go', writing, { announce: message('posted'), focus: 'field' }]]);
    expect([test.host.draft.text, test.host.draft.idempotencyKey]).to.deep.equal(['', undefined]);
    test.write('next', '42');
    controller.confirmPosted();
    expect([test.taken(), test.host.draft.text]).to.deep.equal([[], 'next']);
  });

  it('is posted again with another key', async () => {
    await post('hello', failure('outcome-unknown'));
    answers.push({ id: '2' });
    controller.postAgain();
    expect(test.taken()).to.deep.equal([['go', writing, { focus: 'field' }], posting]);
    await settled();
    const [first, second] = sent;
    expect(second?.post).to.deep.equal(first?.post);
    expect(second?.key).not.to.equal(first?.key);
  });
});

describe('a comment that is posted', () => {
  it('is announced, kept as the reader’s own, and reported', async () => {
    const beganAt = Date.now();
    expect(await post('hello', { id: 7 })).to.deep.equal([
      'showDraft', ['go', writing, { announce: message('posted') }], ['posted', { post: { id: 7 } }],
    ]);
    const [{ at, ...own }] = test.drafts.added as [OwnPost];
    expect(own).to.deep.equal({ id: '7', user: ada, message: 'hello' });
    expect(at).to.be.within(beganAt, Date.now());
  });

  it('has the id of the service’s record, if that is a text or a number', async () => {
    for (const [id, expected] of [['a', 'a'], [7, '7'], [undefined, undefined], [{}, undefined]] as const) {
      await post('hello', { id } as Post);
      expect(test.drafts.added.pop()?.id).to.equal(expected);
    }
  });

  it('belongs to nobody if the box does not know the reader', async () => {
    for (const view of [{ ...signedIn, user: undefined } as unknown as SessionView, anonymous]) {
      expect((await post('hello', { id: '1' }, view)).at(-1)).to.deep.equal(['posted', { post: { id: '1' } }]);
      expect(test.drafts.added).to.deep.equal([]);
    }
  });
});

describe('a comment that is not posted', () => {
  it('stays, with the problem', async () => {
    const refusal = failure('post-rejected');
    expect(await post('hello', refusal)).to.deep.equal([
      ['go', writing, { announce: { kind: 'not-posted', problem: refusal.problem } }], ['error', refusal.problem],
    ]);
    expect(test.host.draft.text).to.equal('hello');
  });

  it('because the session has ended ends it here too', async () => {
    const refusal = failure('not-signed-in');
    expect(await post('hello', refusal)).to.deep.equal([
      'markEnded', ['go', writing, { announce: { kind: 'not-posted', problem: refusal.problem } }], ['error', refusal.problem],
    ]);
  });

  it('because another account has signed in shows that account, and posts nothing', async () => {
    const bo = { user_id: '43', username: 'Bo' };
    const changed = failure('user-changed', { user: bo });
    const rest = [['announce', message('notPostedYet')], ['error', changed.problem], 'refresh'];
    expect(await post('hello', changed)).to.deep.equal([
      ['go', writing], ['adopt', { state: 'signed-in', user: bo, limits: signedIn.limits }], ...rest,
    ]);
    test.store.view = undefined;
    answers.push(changed);
    controller.postAgain();
    await settled();
    expect(test.taken().slice(2)).to.deep.equal([['go', writing], ...rest]);
    const unnamed = failure('user-changed');
    expect((await post('hello', unnamed))[1]).to.deep.equal(rest[0]);
    expect(sent).to.have.length(3);
  });
});
