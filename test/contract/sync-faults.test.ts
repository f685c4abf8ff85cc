/**
 * The store fails at operation n, for every n of a sign-in, of a post and of a sign-out (contract, section 3). The tests know
 * neither records nor operations: they compare the answers with the requests that the service received.
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { Response } from 'supertest';
import { PROBLEM_TYPE_PREFIX, type Problem, type SessionView } from '@vestibule/shared';
import { startBff, type Bff } from '../lib/bff.ts';
import { FailingStore } from '../lib/failing-store.ts';
import { exchangesOf, type ReaderClient } from '../lib/reader.ts';

/** Runs at the same time. */
const PARALLEL = 16;

/** Repetitions before a request counts as endless. Each waits for its `Retry-After` by the clock of the BFF. */
const MAX_REPETITIONS = 40;

const failures: Readonly<Record<string, { readonly applied: boolean; readonly times: number }>> = {
  'fails once without effect': { applied: false, times: 1 },
  'loses one reply': { applied: true, times: 1 },
  'is away from there until the request is answered': { applied: false, times: Infinity },
  'loses the replies from there until the request is answered': { applied: true, times: Infinity },
};

const promises = {
  answers: 'answers with the outcome, a retryable problem or outcome-unknown',
  once: 'calls the service at most once',
  truth: 'does not report "not carried out" after the service carried it out, unless the repetition succeeds',
  converges: 'gives the identical request, repeated, a final answer, and that answer again',
  state: 'leaves the session that the final answer describes',
} as const;

type PromiseName = keyof typeof promises;

/** One run of a flow whose failure comes at operation `n`. */
class Run {
  readonly bff: Bff;
  readonly reader: ReaderClient;
  readonly store: FailingStore;
  readonly violations: { readonly promise: PromiseName; readonly text: string }[] = [];
  /** How often the service did what this flow asks for. */
  readonly effects: () => number;
  readonly #n: number;
  readonly #flow: Flow;

  constructor(bff: Bff, store: FailingStore, flow: Flow, n: number) {
    this.bff = bff;
    this.store = store;
    this.reader = bff.browser();
    this.effects = () => flow.effects(bff);
    this.#flow = flow;
    this.#n = n;
  }

  /** After the flow, without failures. */
  async state(): Promise<SessionView['state']> {
    this.store.recover();
    return (await this.reader.session()).state;
  }

  check(promise: PromiseName, holds: boolean, text: string): void {
    if (!holds) this.violations.push({ promise, text: `operation ${this.#n}: ${text}` });
  }

  /** Sends the request; if the failure came, repeats it until its answer is final, and once more. @returns the last answer */
  async send(request: () => PromiseLike<Response>): Promise<Response> {
    const answers: { readonly res: Response; readonly effects: number }[] = [];
    const attempt = async () => {
      const res = await request();
      answers.push({ res, effects: this.effects() });
      return res;
    };
    const settle = async () => {
      let res = await attempt();
      for (let i = 0; i < MAX_REPETITIONS && isRetryable(res); i += 1) {
        this.bff.passTime(Number(res.headers['retry-after'] ?? 1));
        res = await attempt();
      }
      return res;
    };
    const first = await attempt();
    if (!this.store.hasFailed) return first;
    this.store.recover();
    const final = isRetryable(first) ? await settle() : first;
    const again = await settle();
    const trace = answers.map(({ res }) => nameOf(res)).join(', ');
    this.check('answers', answers.every(({ res }) => isAllowed(res)), trace);
    this.check('truth', again.ok || answers.every(({ res, effects }) => effects === 0 || nameOf(res) !== '503 service-unavailable'), trace);
    this.check('converges', [final, again].every((res) => !isRetryable(res)) && this.#agree(final, again), trace);
    return again;
  }

  /** An unknown outcome may become known. */
  #agree(final: Response, again: Response): boolean {
    if (nameOf(final) === UNKNOWN && again.ok) return true;
    if (nameOf(again) === UNKNOWN && final.ok) return this.#flow.mayForget === true;
    return final.status === again.status && (!final.ok || final.text === again.text);
  }
}

const UNKNOWN = '504 outcome-unknown';

function nameOf({ status, text }: Response): string {
  return status < 400 ? String(status) : `${status} ${String((JSON.parse(text) as Problem).type).replace(PROBLEM_TYPE_PREFIX, '')}`;
}

function isRetryable(res: Response): boolean {
  return !res.ok && (JSON.parse(res.text) as Problem).retryable;
}

function isAllowed(res: Response): boolean {
  return res.ok || isRetryable(res) || nameOf(res) === UNKNOWN;
}

interface Flow {
  readonly effects: (bff: Bff) => number;
  /** Whether an outcome that the reader got may be unknown later: the store could not keep it. Default: no. */
  readonly mayForget?: boolean;
  /** @param arm starts to count the operations */
  readonly play: (run: Run, arm: () => void) => Promise<void>;
}

const flows: Readonly<Record<string, Flow>> = {
  'a sign-in': {
    effects: exchangesOf,
    async play(run, arm) {
      const { reader } = run;
      const syncReturn = reader.issueReturn();
      const key = randomUUID();
      arm();
      const begun = await run.send(() => reader.start(syncReturn).set('Idempotency-Key', key));
      if (begun.status !== 201) return;
      const { sync } = begun.body as SessionView;
      assert.ok(sync);
      const ended = await run.send(() => reader.validateShown({ sync: sync.id, username: sync.user.username }));
      const state = await run.state();
      run.check('state', (state === 'signed-in') === ended.ok, `${nameOf(ended)}, and the reader is ${state}`);
    },
  },
  'a post': {
    effects: ({ service }) => service.posts.length,
    mayForget: true,
    async play(run, arm) {
      const { reader } = run;
      await reader.signIn();
      const key = randomUUID();
      arm();
      const posted = await run.send(() => reader.createPost('A comment', { key }));
      const state = await run.state();
      run.check('state', state === 'signed-in', `the reader is ${state}`);
      run.check('state', !posted.ok || run.effects() === 1, `${nameOf(posted)}, and the service has ${run.effects()} posts`);
    },
  },
  'a sign-out during a sign-in': {
    // The exchange of the session is not part of the flow.
    effects: (bff) => exchangesOf(bff) - 1,
    async play(run, arm) {
      const { reader, bff } = run;
      await reader.signIn();
      const shown = await reader.begin();
      const copiedCookies = reader.cookies();
      arm();
      const ended = await run.send(() => reader.delete('/session'));
      if (ended.status !== 204) return;
      run.store.recover();
      const { body } = await bff.browser().get('/session').set('Cookie', copiedCookies);
      run.check('state', (body as SessionView).state === 'anonymous', `204, and the session is ${(body as SessionView).state}`);
      const validated = await bff.browser().validateShown(shown).set('Cookie', copiedCookies);
      run.check('state', !validated.ok && run.effects() === 0, `204, and the pending sign-in ends with ${nameOf(validated)}`);
    },
  },
};

for (const [name, flow] of Object.entries(flows)) {
  for (const [what, failure] of Object.entries(failures)) {
    describe(`${name}, while the store ${what}, at each of its operations`, () => {
      const violations: Run['violations'] = [];
      let failed = 0;

      before(async () => {
        for (let n = 1, isOver = false; !isOver; n += PARALLEL) {
          const runs = await Promise.all(Array.from({ length: PARALLEL }, (_, i) => play(flow, failure, n + i)));
          violations.push(...runs.flatMap((run) => run.violations));
          failed += runs.filter(({ store }) => store.hasFailed).length;
          isOver = runs.some(({ store }) => !store.hasFailed);
        }
      });

      it('was tried at several operations', () => { assert.ok(failed >= 2, `${failed} failures`); });

      for (const [promise, title] of Object.entries(promises)) {
        it(title, () => {
          assert.deepEqual(violations.filter((violation) => violation.promise === promise).map(({ text }) => text), []);
        });
      }
    });
  }
}

async function play(flow: Flow, failure: (typeof failures)[string], n: number): Promise<Run> {
  let clock = Date.now;
  const store = new FailingStore(() => clock());
  await using bff = await startBff({}, { store });
  clock = bff.now;
  const run = new Run(bff, store, flow, n);
  await flow.play(run, () => { store.failAt(n, failure); });
  run.check('once', run.effects() <= 1, `${run.effects()} times`);
  return run;
}
