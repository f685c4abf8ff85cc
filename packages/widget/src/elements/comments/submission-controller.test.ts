import { expect } from '@open-wc/testing';
import { problemTypes, PROBLEM_TYPE_PREFIX, type NewPost, type Post, type SessionView, type User } from '@vestibule/shared';
import { BffError, type WidgetProblem, type WidgetProblemType } from '../../client/problem.ts';
import type { VestibuleErrorEvent } from '../../events/error-event.ts';
import { Draft } from '../../drafts/draft.ts';
import type { OwnPost } from '../../drafts/own-posts.ts';
import type { CommentsContext } from './comments-context.ts';
import type { Phase } from './comments-state.ts';
import type { Transition } from './phase-machine.ts';
import { SubmissionController } from './submission-controller.ts';
import { PAGE_MAX_LENGTH } from './submission.ts';

const key = { bff: 'https://bff.example/', forum: 'news', page: 'https://www.example.com/a', account: '42' };
const user: User = { user_id: '42', username: 'Ada' };
const ada: SessionView = { state: 'signed-in', user, limits: { message_max_length: 10 } };
const anonymous: SessionView = { state: 'anonymous', limits: ada.limits };

/** What the controller has done, in order. */
let log: unknown[];
let phase: Phase;
let answers: (Post | Error | Promise<Post>)[];
let sent: { readonly post: NewPost; readonly key: string; readonly signal: AbortSignal | undefined }[];
let ownPosts: OwnPost[];
let host: EventTarget & { draft: Draft; readonly field: HTMLTextAreaElement };
let store: { state: string; view: SessionView | undefined; failure: object | undefined; isFetching: boolean };
let controller: SubmissionController;

beforeEach(() => {
  log = [];
  phase = { name: 'writing' };
  answers = [];
  sent = [];
  ownPosts = [];
  host = Object.assign(new EventTarget(), {
    draft: new Draft(key),
    field: document.createElement('textarea'),
    forum: 'news',
    maxLength: null,
    localizer: { tag: 'en' },
    showDraft: () => { log.push('showDraft'); },
  });
  host.addEventListener('vestibule-error', (event) => log.push(['error', (event as VestibuleErrorEvent).detail.problem.type]));
  host.addEventListener('vestibule-posted', (event) => log.push(['posted', (event as CustomEvent).detail as unknown]));
  const client = {
    createPost: async (post: NewPost, idempotencyKey: string, { signal }: { signal?: AbortSignal } = {}) => {
      sent.push({ post, key: idempotencyKey, signal });
      const answer = await (answers.shift() ?? { id: '1' });
      if (answer instanceof Error) throw answer;
      return { post: answer };
    },
  };
  const ownStore = {
    state: 'signed-in',
    view: ada as SessionView | undefined,
    failure: undefined as object | undefined,
    isFetching: false,
    client,
    refresh: () => { log.push('refresh'); },
    markEnded: () => { log.push('markEnded'); },
    adopt: (view: SessionView) => { log.push(['adopt', view]); },
  };
  store = ownStore;
  const machine = {
    get phase() { return phase; },
    go: (next: Phase, transition?: Transition) => {
      phase = next;
      log.push(transition ? [next, transition] : [next]);
    },
    announce: (announcement: unknown) => { log.push(['announce', announcement]); },
  };
  const drafts = { addPost: (post: OwnPost) => { ownPosts.push(post); } };
  controller = new SubmissionController({ host, machine, drafts, store: ownStore } as unknown as CommentsContext);
});

afterEach(() => {
  controller.abort();
  localStorage.clear();
});

function failure(type: WidgetProblemType, more: Partial<WidgetProblem> = {}): BffError {
  return new BffError({ type: `${PROBLEM_TYPE_PREFIX}${type}`, ...problemTypes[type as 'post-rejected'], detail: '', ...more });
}

function write(text: string): void {
  host.field.value = text;
  host.draft.text = text;
  host.draft.save();
}

/** Posts a text and waits for what the controller does after the response. @returns that */
async function post(text: string, answer: Post | Error): Promise<unknown[]> {
  write(text);
  answers.push(answer);
  controller.submit(text);
  expect(taken()).to.deep.equal([[{ name: 'posting', retryInSeconds: undefined }]]);
  await responded();
  return taken();
}

async function responded(): Promise<void> {
  await new Promise((resolve) => { setTimeout(resolve); });
}

/** The log since the last time. */
function taken(): unknown[] {
  return log.splice(0);
}

const says = (message: string): object => ({ kind: 'message', message });
const writing = { name: 'writing' };
const notPostedYet = [writing, { announce: says('notPostedYet'), focus: 'field' }];

describe('submit()', () => {
  it('posts for a reader who is signed in', async () => {
    expect((await post('hello', { id: '1' })).at(-1)).to.deep.equal(['posted', { post: { id: '1' } }]);
    expect(sent.map((one) => one.post)).to.deep.equal([{ forum: 'news', message: 'hello', page: key.page, expected_user_id: '42' }]);
  });

  it('requests the session first if the reader is not known to be signed in', () => {
    write('hello');
    store.state = 'unknown';
    controller.submit('hello');
    expect(taken()).to.deep.equal([[{ name: 'checking-session', message: 'hello' }], 'refresh']);
  });

  it('posts nothing but the text that the reader saw', async () => {
    write('of another tab');
    controller.submit('hello');
    await responded();
    expect([taken(), sent]).to.deep.equal([[notPostedYet], []]);
  });

  it('posts nothing blank, or longer than the limit', async () => {
    for (const [text, error] of [[' \n', 'empty'], ['elevenchars', 'too-long']] as const) {
      write(text);
      controller.submit(text);
      await responded();
      expect([taken(), sent]).to.deep.equal([[[writing, { announce: { kind: 'error', error }, focus: 'field' }]], []]);
    }
    await post('tenletters', { id: '1' });
    expect(sent).to.have.length(1);
  });

  it('posts well-formed text', async () => {
    write('a\uD800');
    controller.submit(host.field.value);
    await responded();
    expect(sent[0]?.post.message).to.equal('a\uFFFD');
  });

  it('names the page if the BFF accepts it', async () => {
    const prefix = 'https://www.example.com/';
    for (const [length, isNamed] of [[PAGE_MAX_LENGTH, true], [PAGE_MAX_LENGTH + 1, false]] as const) {
      host.draft = new Draft({ ...key, page: prefix.padEnd(length, 'x') });
      await post('hello', { id: '1' });
      expect('page' in sent.at(-1)!.post, String(length)).to.equal(isNamed);
    }
  });

  it('names the account that the box shows, else that of the draft, else none', async () => {
    const bo = { user_id: '43', username: 'Bo' };
    for (const [view, account, expected] of [
      [{ ...ada, user: bo }, '42', '43'], [anonymous, '42', '42'], [undefined, '42', '42'], [undefined, '', undefined],
    ] as const) {
      store.view = view;
      host.draft = new Draft({ ...key, account });
      await post('hello', { id: '1' });
      expect(sent.at(-1)!.post.expected_user_id).to.equal(expected);
      expect('expected_user_id' in sent.at(-1)!.post).to.equal(expected !== undefined);
    }
  });

  it('does not hide an error of the code', async () => {
    const error = new Error('of the code');
    const { reportError } = window;
    window.reportError = (reason) => { log.push(reason); };
    try {
      expect(await post('hello', error)).to.deep.equal([error]);
    } finally {
      window.reportError = reportError;
    }
  });
});

describe('onSession()', () => {
  beforeEach(() => {
    write('hello');
    store.state = 'unknown';
    controller.submit('hello');
    taken();
  });

  it('posts the text once the reader is known to be signed in', async () => {
    store.state = 'signed-in';
    controller.onSession();
    await responded();
    expect(sent.map((one) => one.post.message)).to.deep.equal(['hello']);
  });

  it('posts nothing if the text has changed meanwhile', async () => {
    store.state = 'signed-in';
    host.field.value = 'of another tab';
    controller.onSession();
    await responded();
    expect([taken(), sent]).to.deep.equal([[notPostedYet], []]);
  });

  it('waits for the response to the request', () => {
    store.isFetching = true;
    controller.onSession();
    expect(taken()).to.deep.equal([]);
  });

  it('does nothing in another phase', async () => {
    phase = { name: 'writing' };
    store.state = 'signed-in';
    controller.onSession();
    await responded();
    expect([taken(), sent]).to.deep.equal([[], []]);
  });

  it('asks a reader who is signed out to sign in, and says nothing beside a failure', () => {
    for (const [state, view, failed, announce] of [
      ['anonymous', anonymous, undefined, says('signInFirst')],
      ['unknown', undefined, undefined, undefined],
      ['anonymous', anonymous, {}, undefined],
      ['signed-in', ada, {}, undefined],
    ] as const) {
      phase = { name: 'checking-session', message: 'hello' };
      Object.assign(store, { state, view, failure: failed });
      controller.onSession();
      expect(taken(), state).to.deep.equal([[writing, { announce }]]);
    }
    expect(sent).to.deep.equal([]);
  });
});

describe('a submission in flight', () => {
  let respond: (created: Post) => void;
  beforeEach(() => {
    write('hello');
    answers.push(new Promise((resolve) => { respond = resolve; }));
    controller.submit('hello');
    taken();
  });

  it('ends with abort(), without a transition or an error, and its response changes nothing', async () => {
    controller.abort();
    expect(sent[0]?.signal?.aborted).to.equal(true);
    respond({ id: '1' });
    await responded();
    expect([taken(), ownPosts]).to.deep.equal([[], []]);
  });

  it('ends at the reader’s wish', () => {
    controller.stopRetrying();
    expect(sent[0]?.signal?.aborted).to.equal(true);
    expect(taken()).to.deep.equal([[writing, { announce: says('stopped'), focus: 'field' }]]);
  });
});

it('abort() during a wait for another attempt leaves no unhandled rejection', async () => {
  write('hello');
  answers.push(failure('service-unavailable'));
  controller.submit('hello');
  await responded();
  expect(taken().at(-1)).to.deep.equal([{ name: 'posting', retryInSeconds: (phase as { retryInSeconds?: number }).retryInSeconds }]);
  expect((phase as { retryInSeconds?: number }).retryInSeconds).to.be.above(0);
  controller.abort();
  await responded();
  expect(taken()).to.deep.equal([]);
});

describe('a comment that may have been posted', () => {
  it('waits for the reader’s decision', async () => {
    const outcome = failure('outcome-unknown');
    expect(await post('hello', outcome)).to.deep.equal([
      [{ name: 'unconfirmed', message: 'hello', problem: outcome.problem }, { focus: 'panel' }],
      ['error', 'urn:vestibule:outcome-unknown'],
    ]);
  });

  it('is cleared once the reader has found it, and only in that phase', async () => {
    await post('hello', failure('outcome-unknown'));
    controller.confirmPosted();
    expect(taken()).to.deep.equal(['showDraft', [writing, { announce: says('posted'), focus: 'field' }]]);
    expect([host.draft.text, host.draft.idempotencyKey]).to.deep.equal(['', undefined]);
    write('next');
    controller.confirmPosted();
    expect([taken(), host.draft.text]).to.deep.equal([[], 'next']);
  });

  it('is posted again with another key', async () => {
    await post('hello', failure('outcome-unknown'));
    answers.push({ id: '2' });
    controller.postAgain();
    expect(taken()).to.deep.equal([[writing, { focus: 'field' }], [{ name: 'posting', retryInSeconds: undefined }]]);
    await responded();
    const [first, second] = sent;
    expect(second?.post).to.deep.equal(first?.post);
    expect(second?.key).not.to.equal(first?.key);
  });
});

describe('a comment that is posted', () => {
  it('is announced, kept as the reader’s own, and reported', async () => {
    const beganAt = Date.now();
    expect(await post('hello', { id: 7 })).to.deep.equal([
      'showDraft', [writing, { announce: says('posted') }], ['posted', { post: { id: 7 } }],
    ]);
    const [{ at, ...own }] = ownPosts as [OwnPost];
    expect(own).to.deep.equal({ id: '7', user, message: 'hello' });
    expect(at).to.be.within(beganAt, Date.now());
  });

  it('has the id of the service’s record, if that is a text or a number', async () => {
    for (const [id, expected] of [['a', 'a'], [7, '7'], [undefined, undefined], [{}, undefined]] as const) {
      await post('hello', { id } as Post);
      expect(ownPosts.pop()?.id).to.equal(expected);
    }
  });

  it('belongs to nobody if the box does not know the reader', async () => {
    for (const view of [undefined, anonymous]) {
      store.view = view;
      expect((await post('hello', { id: '1' })).at(-1)).to.deep.equal(['posted', { post: { id: '1' } }]);
      expect(ownPosts).to.deep.equal([]);
    }
  });
});

describe('a comment that is not posted', () => {
  it('stays, with the problem', async () => {
    const refusal = failure('post-rejected');
    expect(await post('hello', refusal)).to.deep.equal([
      [writing, { announce: { kind: 'not-posted', problem: refusal.problem } }], ['error', 'urn:vestibule:post-rejected'],
    ]);
    expect(host.draft.text).to.equal('hello');
  });

  it('because the session has ended ends it here too', async () => {
    const refusal = failure('not-signed-in');
    expect(await post('hello', refusal)).to.deep.equal([
      'markEnded', [writing, { announce: { kind: 'not-posted', problem: refusal.problem } }], ['error', 'urn:vestibule:not-signed-in'],
    ]);
  });

  it('because another account has signed in shows that account, and posts nothing', async () => {
    const bo = { user_id: '43', username: 'Bo' };
    const rest = [['announce', says('notPostedYet')], ['error', 'urn:vestibule:user-changed'], 'refresh'];
    expect(await post('hello', failure('user-changed', { user: bo }))).to.deep.equal([
      [writing], ['adopt', { state: 'signed-in', user: bo, limits: ada.limits }], ...rest,
    ]);
    expect(await post('hello', failure('user-changed'))).to.deep.equal([[writing], ...rest]);
    store.view = undefined;
    expect(await post('hello', failure('user-changed', { user: bo }))).to.deep.equal([[writing], ...rest]);
    expect(sent).to.have.length(3);
  });
});
