import { expect } from '@open-wc/testing';
import { problemTypes, PROBLEM_TYPE_PREFIX, type NewPost, type PostCreated } from '@vestibule/shared';
import type { BffClient, RequestOptions } from '../../client/bff-client.ts';
import { networkProblem } from '../../client/network-problem.ts';
import { BffError, type WidgetProblemType } from '../../client/problem.ts';
import { Draft } from '../../drafts/draft.ts';
import { clearPosted, dropKey, submitPost, type SubmissionOutcome } from './submission.ts';

const post: NewPost = { forum: 'news', message: 'hello' };
const created: PostCreated = { post: { id: '1', ...post } };
const key = { bff: 'https://bff.example/', forum: 'news', page: 'https://www.example.com/a', account: '42' };

const { random } = Math;
const { setTimeout } = window;

let draft: Draft;
/** Of the requests. */
let keys: string[];
/** Delays between the requests, in milliseconds. */
let waits: (number | undefined)[];
let progress: (number | undefined)[];
let controller: AbortController;

beforeEach(() => {
  draft = Object.assign(new Draft(key), { text: post.message });
  draft.save();
  keys = [];
  waits = [];
  progress = [];
  controller = new AbortController();
  Math.random = () => 0;
  window.setTimeout = ((run: () => void, ms?: number) => {
    waits.push(ms);
    return setTimeout(run);
  }) as typeof window.setTimeout;
});

afterEach(() => {
  Math.random = random;
  Object.assign(window, { setTimeout });
  Reflect.deleteProperty(navigator, 'onLine');
  localStorage.clear();
});

function failure(type: WidgetProblemType, retryAfterSeconds?: number): BffError {
  const problem = type === 'network' ? networkProblem : { type: `${PROBLEM_TYPE_PREFIX}${type}` as const, ...problemTypes[type], detail: '' };
  return new BffError(problem, { retryAfterSeconds });
}

/** Posts the text of the draft; the requests fail with these errors, and then succeed. */
function submit(...errors: Error[]): Promise<SubmissionOutcome> {
  const createPost = (sent: NewPost, idempotencyKey: string, { signal }: RequestOptions): Promise<PostCreated> => {
    expect([sent, signal]).to.deep.equal([post, controller.signal]);
    keys.push(idempotencyKey);
    const error = errors.shift();
    return error ? Promise.reject(error) : Promise.resolve(created);
  };
  const client = { createPost } as unknown as BffClient;
  return submitPost(draft, post, { client, signal: controller.signal, onProgress: (seconds) => progress.push(seconds) });
}

const stored = (): Draft => new Draft(key);

describe('submitPost', () => {
  it('posts with a key that is stored before, and empties the draft', async () => {
    const submission = submit();
    expect([stored().text, stored().idempotencyKey]).to.deep.equal(['hello', keys[0]]);
    expect(keys[0]).to.match(/./);
    expect(await submission).to.deep.equal({ name: 'posted', post: created.post });
    expect(stored()).to.deep.include({ text: '', idempotencyKey: undefined });
    expect(progress).to.deep.equal([undefined]);
  });

  it('takes the key that another tab has stored with the same text, and no other', async () => {
    for (const [text, isTaken] of [['hello', true], ['of another tab', false]] as const) {
      Object.assign(stored(), { text, idempotencyKey: 'key-of-another-tab' }).save();
      await submit();
      expect(keys.pop() === 'key-of-another-tab', text).to.equal(isTaken);
      localStorage.clear();
      draft = new Draft(key);
    }
  });

  it('repeats a request with the same key, after a wait that grows', async () => {
    expect((await submit(failure('network'), failure('network'))).name).to.equal('posted');
    expect(new Set(keys).size).to.equal(1);
    expect(waits).to.deep.equal([1000, 2000]);
    expect(progress).to.deep.equal([undefined, 1, undefined, 2, undefined]);
  });

  it('announces the wait in whole seconds, rounded up', async () => {
    Math.random = () => 0.5;
    await submit(failure('network'));
    expect([waits, progress]).to.deep.equal([[1250], [undefined, 2, undefined]]);
  });

  it('waits for a minute at most', async () => {
    await submit(failure('too-many-requests', 60));
    expect(waits).to.deep.equal([60_000]);
    expect((await submit(failure('too-many-requests', 61))).name).to.equal('failed');
  });

  it('gives up after five attempts', async () => {
    const outcome = await submit(...Array.from({ length: 5 }, () => failure('network')));
    expect([outcome.name, keys.length, progress.length]).to.deep.equal(['failed', 5, 9]);
  });

  it('repeats no request that fails for good, or without a connection', async () => {
    expect((await submit(failure('post-rejected'))).name).to.equal('failed');
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
    expect((await submit(failure('network'))).name).to.equal('failed');
    expect([keys.length, waits]).to.deep.equal([2, []]);
  });

  it('does not know the outcome of a request that the service may have carried out', async () => {
    for (const type of ['outcome-unknown', 'bad-service-response', 'idempotency-key-reused'] as const) {
      const error = failure(type);
      expect(await submit(error), type).to.deep.equal({ name: 'unconfirmed', problem: error.problem });
      expect(stored().idempotencyKey, type).to.equal(keys.at(-1));
    }
  });

  it('keeps the key after a failure that leaves the outcome open, and after those that follow', async () => {
    for (const type of ['network', 'internal-error', 'post-in-progress'] as const) {
      dropKey(draft);
      await submit(...Array.from({ length: 5 }, () => failure(type)));
      expect(stored().idempotencyKey, type).to.equal(keys.at(-1));
    }
    const error = failure('post-rejected');
    expect(await submit(error)).to.deep.equal({ name: 'failed', problem: error.problem, isUncertain: false });
    expect(stored().idempotencyKey).to.equal(keys.at(-1));
  });

  it('is uncertain after a request without an answer, unless the browser was offline or a later answer settles it', async () => {
    const isUncertain = async (...errors: BffError[]) => {
      dropKey(draft);
      const outcome = await submit(...errors);
      return outcome.name === 'failed' && outcome.isUncertain;
    };
    const network = failure('network');
    const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
    expect(await isUncertain(...times(5, network))).to.equal(true);
    expect(await isUncertain(network, failure('too-many-requests', 61))).to.equal(true);
    expect(await isUncertain(...times(5, failure('post-in-progress')))).to.equal(true);
    expect(await isUncertain(...times(5, failure('internal-error')))).to.equal(false);
    expect(await submit(failure('too-many-requests', 61)), 'with the key of an earlier attempt').to.deep.include({ isUncertain: true });
    for (const type of ['service-refused', 'post-rejected'] as const) expect(await isUncertain(network, failure(type)), type).to.equal(false);
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
    expect(await isUncertain(network)).to.equal(false);
  });

  it('drops the key after a refusal, and after the service’s own in any case', async () => {
    await submit(failure('post-rejected'));
    expect(stored().idempotencyKey).to.equal(undefined);
    await submit(failure('network'), failure('service-refused'));
    expect(stored().idempotencyKey).to.equal(undefined);
  });

  it('rejects with the reason of its signal during a wait', async () => {
    const submission = submit(failure('network'));
    await Promise.resolve();
    controller.abort(new Error('over'));
    expect(await submission.catch((error: Error) => error.message)).to.equal('over');
    expect([keys.length, stored().text]).to.deep.equal([1, 'hello']);
  });

  it('rejects with an error that is no failure of a request', async () => {
    const error = new Error('of the code');
    expect(await submit(error).catch((reason: unknown) => reason)).to.equal(error);
    expect(keys).to.have.length(1);
  });
});

describe('dropKey', () => {
  it('drops the key also where another tab has stored it meanwhile', () => {
    draft.idempotencyKey = 'shared';
    Object.assign(stored(), { text: 'of another tab', idempotencyKey: 'shared' }).save();
    dropKey(draft);
    expect([draft.idempotencyKey, stored().idempotencyKey]).to.deep.equal([undefined, undefined]);
  });

  it('leaves another key of another tab', () => {
    for (const own of [undefined, 'own']) {
      draft.idempotencyKey = own;
      Object.assign(stored(), { text: 'of another tab', idempotencyKey: 'other' }).save();
      dropKey(draft);
      expect(stored().idempotencyKey).to.equal('other');
      draft.idempotencyKey = undefined;
      draft.save();
    }
  });
});

describe('clearPosted', () => {
  it('empties the draft, also one that is blank', () => {
    for (const text of ['hello', ' \n']) {
      draft.text = text;
      draft.save();
      clearPosted(draft, 'hello');
      expect([draft.text, stored().text]).to.deep.equal(['', '']);
    }
  });

  it('leaves a newer text of the reader', () => {
    draft.text = 'hello again';
    clearPosted(draft, 'hello');
    expect([draft.text, stored().text]).to.deep.equal(['hello again', 'hello again']);
  });

  it('leaves a newer text of another tab', () => {
    Object.assign(stored(), { text: 'of another tab' }).save();
    clearPosted(draft, 'hello');
    expect([draft.text, draft.other, stored().text]).to.deep.equal(['of another tab', '', 'of another tab']);
  });

  it('keeps a newer text of the reader and one of another tab', () => {
    draft.text = 'hello again';
    Object.assign(stored(), { text: 'of another tab' }).save();
    clearPosted(draft, 'hello');
    expect([draft.text, draft.other]).to.deep.equal(['hello again', 'of another tab']);
  });

  it('offers the posted text to no tab that has posted it too', () => {
    draft.text = 'hello';
    draft.save();
    const other = stored();
    other.save();
    clearPosted(draft, 'hello');
    clearPosted(other, 'hello');
    for (const one of [draft, other, stored()]) expect([one.text, one.other]).to.deep.equal(['', '']);
  });

  it('keeps a second text that storage does not have', () => {
    for (const isStored of [true, false]) {
      draft.text = 'hello';
      draft.save();
      if (!isStored) localStorage.clear();
      draft.other = 'second';
      clearPosted(draft, 'hello');
      expect([draft.text, draft.other]).to.deep.equal(['', 'second']);
    }
  });
});
