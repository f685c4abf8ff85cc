/**
 * Random sequences of what a reader, the BFF, other tabs and the page do to a comment box. After each step there is exactly
 * one primary action or a busy state, and no text is gone unless the reader, a confirmed post or a sign-out took it. At the
 * end of each sequence no channel and no timer is left.
 */

import { expect } from '@open-wc/testing';
import * as fc from 'fast-check';
import { problemTypes, PROBLEM_TYPE_PREFIX, type ProblemType, type SessionView } from '@vestibule/shared';
import '../../define.ts';
import { announceSessionChange } from '../../session/session-channel.ts';
import type { VestibuleComments } from './vestibule-comments.ts';

const ada = { user_id: '42', username: 'Ada' };
const bo = { user_id: '43', username: 'Bo' };
const limits = { message_max_length: 60 };
const problems = [
  'service-unavailable', 'not-signed-in', 'outcome-unknown', 'post-rejected', 'internal-error', 'cross-site-request', 'too-many-requests',
] as const satisfies readonly ProblemType[];

/** The BFF, in this page. */
class World {
  session: SessionView = { state: 'anonymous', limits };
  problem: ProblemType | 'network' | undefined;
  isHeld = false;
  posts = 0;
  readonly #held: (() => void)[] = [];

  release(): void {
    this.isHeld = false;
    for (const go of this.#held.splice(0)) go();
  }

  async answer(method: string, path: string, signal: AbortSignal | null | undefined): Promise<Response> {
    if (this.isHeld) {
      await new Promise<void>((resolve, reject) => {
        this.#held.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    }
    if (this.problem === 'network') throw new TypeError('Failed to fetch');
    if (this.problem) return this.#fail(this.problem);
    switch (`${method} ${path}`) {
      case 'GET session': return Response.json(this.session);
      case 'DELETE session':
        this.session = { state: 'anonymous', limits };
        return new Response(null, { status: 204 });
      case 'POST posts':
        if (this.session.state !== 'signed-in') return this.#fail('not-signed-in');
        this.posts += 1;
        return Response.json({ post: {} }, { status: 201 });
      case 'POST sync/cancel':
        this.session = { ...this.session, state: this.session.user ? 'signed-in' : 'anonymous' };
        delete (this.session as { sync?: unknown }).sync;
        return Response.json({ outcome: 'cancelled', completion_url: 'https://service.example/' });
      default: return this.#fail('not-found');
    }
  }

  #fail(type: ProblemType): Response {
    const body = { type: PROBLEM_TYPE_PREFIX + type, ...problemTypes[type], detail: 'A detail' };
    return Response.json(body, { status: body.status, headers: { 'Content-Type': 'application/problem+json', 'Retry-After': '50' } });
  }
}

class Run {
  readonly world = new World();
  readonly element: VestibuleComments;
  /** The reader or the world may have taken text away in this step. */
  mayLoseText = false;
  /** The next answer may say that the session has ended. */
  hasAskedToSignOut = false;

  constructor() {
    this.element = document.createElement('vestibule-comments');
    Object.assign(this.element, { forum: 'news', bff: `https://${crypto.randomUUID()}.example/` });
    document.body.append(this.element);
  }

  get root(): ShadowRoot {
    return this.element.shadowRoot!;
  }

  get buttons(): HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>('button')].filter((button) => !button.hidden && button.textContent.trim() !== 'Continue in this page');
  }

  async settle(): Promise<void> {
    for (let round = 0; round < 4; round += 1) {
      await this.element.updateComplete;
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  check(step: string, before: string): void {
    const primaries = [...this.root.querySelectorAll<HTMLElement>('.primary')].filter(({ hidden }) => !hidden);
    const form = this.root.querySelector('.panel vestibule-sync');
    const isBusy = primaries.some((button) => button.getAttribute('aria-disabled') === 'true');
    expect(isBusy || primaries.length + (form ? 1 : 0) === 1, `${step}: ${primaries.length} primary actions`).to.equal(true);
    const { value } = this.element.field;
    if (!this.mayLoseText) expect(value.includes(before), `${step}: “${before}” became “${value}”`).to.equal(true);
  }
}

type Step = readonly [name: string, act: (run: Run) => unknown];

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }).map((text): Step => ['type', (run) => {
    run.mayLoseText = true;
    run.element.dispatchEvent(new FocusEvent('focusin'));
    if (run.element.field.readOnly) return;
    run.element.field.value = text;
    run.element.field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }]),
  fc.nat(5).map((index): Step => ['press a button', (run) => {
    const button = run.buttons[index % Math.max(1, run.buttons.length)];
    run.hasAskedToSignOut ||= /Sign out/.test(button?.textContent ?? '');
    run.mayLoseText = /Delete|Insert|Sign out|I can see it/.test(button?.textContent ?? '') || (run.world.posts >= 0 && /Post/.test(button?.textContent ?? ''));
    button?.click();
  }]),
  fc.constantFrom(...problems, 'network', undefined).map((problem): Step => [`the BFF fails: ${problem}`, (run) => { run.world.problem = problem as ProblemType; }]),
  fc.boolean().map((isHeld): Step => ['the BFF is slow', (run) => {
    run.mayLoseText = true; // A post that was held may be confirmed now.
    if (isHeld) run.world.isHeld = true;
    else run.world.release();
  }]),
  fc.constantFrom<SessionView>(
    { state: 'anonymous', limits }, { state: 'signed-in', user: ada, limits }, { state: 'signed-in', user: bo, limits },
    { state: 'validating', limits, sync: { id: 's', user: ada, forum: 'news', form: { fields: [] } } },
    { state: 'signed-in', user: bo, limits, sync: { id: 's', user: ada, forum: 'news', form: { fields: [] } } },
    { state: 'anonymous', notice: 'declined', limits },
  ).map((session): Step => [`the session becomes ${session.state}`, (run) => {
    run.mayLoseText = true; // Another account has another draft.
    run.world.session = session;
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  }]),
  fc.constantFrom('changed', 'signed-in', 'already-granted', 'signed-out').map((change): Step => [`a page says ${change}`, (run) => {
    run.mayLoseText = true;
    announceSessionChange(new URL(run.element.bff!), change as 'changed');
  }]),
  fc.constantFrom('online', 'offline', 'focus').map((type): Step => [type, (run) => {
    run.mayLoseText = true; // The session may be requested anew.
    window.dispatchEvent(new Event(type));
  }]),
  fc.constant<Step>(['the element is moved', ({ element }) => document.body.append(element)]),
  fc.constant<Step>(['the element is removed and put back', async (run) => {
    const { element } = run;
    run.mayLoseText = run.hasAskedToSignOut; // It may request the session.
    element.remove();
    await Promise.resolve();
    await Promise.resolve();
    document.body.append(element);
  }]),
  fc.boolean().map((isBlocked): Step => ['windows', () => {
    window.open = () => (isBlocked ? null : { closed: false, close() {}, location: { replace() {} } } as unknown as Window);
  }]),
);

describe('the comment box, in any sequence of events', function test() {
  this.timeout(60_000);
  const { fetch, open, setTimeout, clearTimeout } = window;
  const RealChannel = BroadcastChannel;
  let run: Run | undefined;
  let channels = 0;
  let timers: Set<unknown>;

  before(() => {
    window.fetch = (input, init) => {
      const url = new URL(String(input));
      if (!url.hostname.endsWith('.example') || !run) return fetch(input, init);
      return run.world.answer(init?.method ?? 'GET', url.pathname.slice(1), init?.signal);
    };
    window.BroadcastChannel = class extends RealChannel {
      constructor(name: string) {
        super(name);
        channels += 1;
      }

      override close(): void {
        channels -= 1;
        super.close();
      }
    };
    window.setTimeout = ((handler: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        handler(...given);
      }, ms);
      if ((ms ?? 0) > 500) timers.add(timer);
      return timer;
    }) as typeof window.setTimeout;
    window.clearTimeout = (timer) => {
      timers.delete(timer);
      clearTimeout(timer);
    };
  });

  after(() => {
    run = undefined;
    Object.assign(window, { fetch, open, setTimeout, clearTimeout, BroadcastChannel: RealChannel });
    localStorage.clear();
  });

  it('has one primary action or is busy, loses no text, and leaves nothing behind', async () => {
    await fc.assert(fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 25 }), async (sequence) => {
      localStorage.clear();
      timers = new Set();
      channels = 0;
      run = new Run();
      await run.settle();
      for (const [name, act] of sequence) {
        const before = run.element.field.value;
        run.mayLoseText = false;
        await act(run);
        await run.settle();
        run.check(name, before);
      }
      run.world.release();
      run.element.remove();
      await run.settle();
      expect(channels, 'channels').to.equal(0);
      expect([...timers], 'timers').to.deep.equal([]);
    }), { numRuns: 40 });
  });
});
