/**
 * A sign-in, a post and a sign-out during which something fails at operation n of the store (contract, section 3). The flows know
 * neither records nor operations: they compare the answers with the requests that the service received.
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { Response } from 'supertest';
import { PROBLEM_TYPE_PREFIX, type Problem, type SessionView } from '@vestibule/shared';
import type { EmulatedService } from '../service/index.ts';
import { exchangesOf, type ReaderClient } from './reader.ts';

const promises = {
  answers: 'answers with the outcome, a retryable problem or outcome-unknown',
  once: 'calls the service at most once',
  truth: 'does not report "not carried out" after the service carried it out, unless the repetition succeeds',
  converges: 'gives the identical request, repeated, a final answer, and that answer again',
  state: 'leaves the session that the final answer describes',
} as const;

type PromiseName = keyof typeof promises;

export interface Violation {
  readonly promise: PromiseName;
  readonly text: string;
}

/** The BFF that fails at operation n. */
export interface FailingBff {
  readonly service: EmulatedService;
  browser(): ReaderClient;
  /** From now on, operations count. */
  arm(): void | Promise<void>;
  hasFailed(): boolean;
  /** Resolves when the store works and the process runs. */
  recover(): void | Promise<void>;
  /** Between two attempts. */
  pause(seconds: number): void | Promise<void>;
}

interface Flow {
  /** How often the service did what the flow asks for. */
  readonly effects: (service: EmulatedService) => number;
  /** Whether an outcome that the reader got may be unknown later: the store could not keep it. Default: no. */
  readonly mayForget?: boolean;
  readonly play: (run: FaultRun) => Promise<void>;
}

export const flows: Readonly<Record<string, Flow>> = {
  'a sign-in': {
    effects: (service) => exchangesOf({ service }),
    async play(run) {
      const { reader } = run;
      const syncReturn = reader.issueReturn();
      const key = randomUUID();
      await run.arm();
      const begun = await run.send(() => reader.start(syncReturn).set('Idempotency-Key', key));
      if (begun.status !== 201) return;
      const { sync } = begun.body as SessionView;
      assert.ok(sync);
      const ended = await run.send(() => reader.validateShown({ sync: sync.id, username: sync.user.username }));
      await run.expectState(ended.ok ? 'signed-in' : 'anonymous', `after ${answerName(ended)}`);
    },
  },
  'a post': {
    effects: ({ posts }) => posts.length,
    mayForget: true,
    async play(run) {
      const { reader } = run;
      await reader.signIn();
      const key = randomUUID();
      await run.arm();
      const posted = await run.send(() => reader.createPost('A comment', { key }));
      await run.expectState('signed-in', `after ${answerName(posted)}`);
      run.check('state', !posted.ok || run.effects() === 1, `${answerName(posted)}, and the service has ${run.effects()} posts`);
    },
  },
  'a sign-out during a sign-in': {
    effects: (service) => exchangesOf({ service }),
    async play(run) {
      const { reader } = run;
      await reader.signIn();
      const shown = await reader.begin();
      const copiedCookies = reader.cookies();
      await run.arm();
      const ended = await run.send(() => reader.delete('/session'));
      if (ended.status !== 204) return;
      await run.expectState('anonymous', 'with the cookies of before', copiedCookies);
      const validated = await run.browser().validateShown(shown).set('Cookie', copiedCookies);
      run.check('state', !validated.ok && run.effects() === 0, `the pending sign-in ends with ${answerName(validated)}`);
    },
  },
};

/** One run of a flow. */
export class FaultRun {
  readonly reader: ReaderClient;
  readonly violations: Violation[] = [];
  hasFailed = false;
  readonly #flow: Flow;
  readonly #bff: FailingBff;
  readonly #name: string;
  #effectsBefore = 0;

  /** @param name of the operation */
  constructor(flow: Flow, bff: FailingBff, name: string) {
    this.#flow = flow;
    this.#bff = bff;
    this.#name = name;
    this.reader = bff.browser();
  }

  async play(): Promise<void> {
    await this.#flow.play(this);
    this.check('once', this.effects() <= 1, `${this.effects()} times`);
  }

  browser(): ReaderClient {
    return this.#bff.browser();
  }

  async arm(): Promise<void> {
    this.#effectsBefore = this.#flow.effects(this.#bff.service);
    await this.#bff.arm();
  }

  /** Since `arm`. */
  effects(): number {
    return this.#flow.effects(this.#bff.service) - this.#effectsBefore;
  }

  check(promise: PromiseName, holds: boolean, text: string): void {
    if (!holds) this.violations.push({ promise, text: `${this.#name}: ${text}` });
  }

  async expectState(expected: SessionView['state'], when: string, cookies?: string): Promise<void> {
    await this.#bff.recover();
    const { status, body } = cookies === undefined ? await this.reader.get('/session') : await this.browser().get('/session').set('Cookie', cookies);
    const { state } = body as SessionView;
    this.check('state', state === expected, `${status}, the reader is ${state} ${when}`);
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
        await this.#bff.pause(Number(res.headers['retry-after'] ?? 1));
        res = await attempt();
      }
      return res;
    };
    const first = await attempt().catch((error: unknown) => {
      // A process that ends closes its connections.
      if (/socket hang up|ECONN|Parse Error/.test(String(error))) return undefined;
      throw error;
    });
    this.hasFailed ||= first === undefined || this.#bff.hasFailed();
    if (first && !this.hasFailed) return first;
    await this.#bff.recover();
    const final = first && !isRetryable(first) ? first : await settle();
    const again = await settle();
    const trace = [...(first ? [] : ['no answer']), ...answers.map(({ res }) => answerName(res))].join(', ');
    this.check('answers', answers.every(({ res }) => res.ok || isRetryable(res) || answerName(res) === UNKNOWN), trace);
    this.check('truth', again.ok || answers.every(({ res, effects }) => effects === 0 || answerName(res) !== NOTHING_HAPPENED), trace);
    this.check('converges', [final, again].every((res) => !isRetryable(res)) && this.#agree(final, again), trace);
    return again;
  }

  /** An unknown outcome may become known. */
  #agree(final: Response, again: Response): boolean {
    if (answerName(final) === UNKNOWN && again.ok) return true;
    if (answerName(again) === UNKNOWN && final.ok) return this.#flow.mayForget === true;
    return final.status === again.status && (!final.ok || final.text === again.text);
  }
}

const MAX_REPETITIONS = 40;

const UNKNOWN = '504 outcome-unknown';
const NOTHING_HAPPENED = '503 service-unavailable';

function answerName({ status, text }: Response): string {
  return status < 400 ? String(status) : `${status} ${String((JSON.parse(text) as Problem).type).replace(PROBLEM_TYPE_PREFIX, '')}`;
}

function isRetryable(res: Response): boolean {
  return !res.ok && (JSON.parse(res.text) as Problem).retryable;
}

/** A suite with one test for each promise.
 *  @param sweep plays the flow with a failure at each operation until none came */
export function describeFaults(name: string, sweep: () => Promise<readonly FaultRun[]>): void {
  describe(name, () => {
    let runs: readonly FaultRun[] = [];
    before(async () => { runs = await sweep(); });

    it('was tried at several operations', () => {
      const failed = runs.filter(({ hasFailed }) => hasFailed).length;
      assert.ok(failed >= 2 && failed < runs.length, `${failed} of ${runs.length} runs had a failure`);
    });

    for (const [promise, title] of Object.entries(promises)) {
      it(title, () => {
        const violations = runs.flatMap((run) => run.violations.filter((violation) => violation.promise === promise));
        assert.deepEqual(violations.map(({ text }) => text), []);
      });
    }
  });
}
