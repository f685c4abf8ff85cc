/** The context of a controller of the comment box in a unit test. Records in order what the controller does. */

import type { SessionView, User } from '@vestibule/shared';
import type { SyncCallback } from '../../callback/callback-params.ts';
import type { WidgetProblem } from '../../client/problem.ts';
import { Draft } from '../../drafts/draft.ts';
import type { OwnPost } from '../../drafts/own-posts.ts';
import type { VestibuleErrorEvent } from '../../events/error-event.ts';
import { until } from '../../_until.ts';
import type { CommentsContext } from './comments-context.ts';
import { busyPhases, type Announcement, type Phase } from './comments-state.ts';
import type { Transition } from './phase-machine.ts';

export const base = new URL('https://bff.example/vestibule/');
export const draftKey = { bff: base.href, forum: 'news', page: 'https://www.example.com/a', account: '' };

export const ada: User = { user_id: '42', username: 'Ada' };
const limits = { message_max_length: 10 };
export const anonymous: SessionView = { state: 'anonymous', limits };
export const signedIn: SessionView = { state: 'signed-in', user: ada, limits };

export const message = (name: string): object => ({ kind: 'message', message: name });

type Log = (...entry: unknown[]) => void;

export class TestContext {
  readonly host: TestHost;
  readonly machine: TestMachine;
  readonly drafts: TestDrafts;
  store: TestStore;
  readonly #log: unknown[] = [];
  readonly log: Log = (...entry) => void this.#log.push(entry.length > 1 ? entry : entry[0]);

  constructor(client: object = {}) {
    const { log } = this;
    this.machine = new TestMachine(log);
    this.drafts = new TestDrafts(log);
    this.store = new TestStore(log, client);
    this.host = Object.assign(new EventTarget(), {
      draft: new Draft(draftKey),
      field: document.createElement('textarea'),
      forum: draftKey.forum,
      sync: 'popup' as const,
      maxLength: null,
      localizer: { tag: 'en' },
      callback: undefined,
      isConnected: true,
      showDraft: () => { log('showDraft'); },
      requestUpdate: () => { log('requestUpdate'); },
      scrollIntoView: (options: object) => { log('scrollIntoView', options); },
    });
    this.host.addEventListener('vestibule-error', (event) => { log('error', (event as VestibuleErrorEvent).detail.problem); });
    for (const type of ['state', 'posted']) {
      this.host.addEventListener(`vestibule-${type}`, (event) => { log(type, (event as CustomEvent<unknown>).detail); });
    }
  }

  /** What a controller gets. */
  get context(): CommentsContext {
    return this as unknown as CommentsContext;
  }

  /** Stands for another controller: logs the calls of its methods, with their arguments. */
  recorder<Controller>(name: string): Controller {
    const call = (method: string) => (...values: unknown[]): void => { this.log(`${name}.${method}`, ...values); };
    return new Proxy({}, { get: (_, method) => call(String(method)) }) as Controller;
  }

  /** The element names another BFF. The box ends what is in progress. */
  changeStore(client: object = {}): void {
    this.store = new TestStore(this.log, client);
    this.machine.phase = { name: 'writing' };
  }

  /** The log since the last time: a name, or a name with arguments. */
  taken(): unknown[] {
    return this.#log.splice(0);
  }

  /** The log once it has `length` entries. An import takes an unknown number of turns of the event loop. */
  async takenOf(length: number): Promise<unknown[]> {
    await until(() => this.#log.length >= length, `${length} entries`);
    await settled();
    return this.taken();
  }

  write(text: string, account = ''): void {
    this.host.draft = new Draft({ ...draftKey, account });
    this.host.field.value = this.host.draft.text = text;
    this.host.draft.save();
  }
}

class TestMachine {
  phase: Phase = { name: 'writing' };
  announcement: Announcement | undefined;
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  get isBusy(): boolean {
    return this.is(...busyPhases);
  }

  is(...names: readonly string[]): boolean {
    return names.includes(this.phase.name);
  }

  go(phase: Phase, transition?: Transition): void {
    this.phase = phase;
    this.announcement = transition?.announce;
    this.#log('go', phase, ...transition ? [transition] : []);
  }

  announce(announcement: Announcement | undefined): void {
    this.announcement = announcement;
    this.#log('announce', announcement);
  }

  focusForm(): void {
    this.#log('focusForm');
  }

  focusFieldWhenPossible(signal: AbortSignal): void {
    this.#log('focusFieldWhenPossible', signal.aborted);
  }
}

class TestDrafts {
  readonly added: OwnPost[] = [];
  /** Shows the text of another box. */
  follow = (): void => undefined;
  wouldLoseText = false;
  isSafe = true;
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  addPost(post: OwnPost): void {
    this.added.push(post);
  }

  moveTo({ state }: SessionView): void {
    this.#log('moveTo', state);
  }

  close(): void {
    this.#log('close');
  }

  hideIfSignedOut(isSignedOut: boolean): void {
    this.#log('hideIfSignedOut', isSignedOut);
  }
}

interface TestHost extends EventTarget {
  draft: Draft;
  readonly field: HTMLTextAreaElement;
  sync: 'popup' | 'inline';
  callback: SyncCallback | undefined;
  isConnected: boolean;
}

class TestStore {
  view: SessionView | undefined;
  failure: { readonly problem: WidgetProblem } | undefined;
  isFetching = false;
  isWatching = false;
  /** The response to the next request. */
  next: Pick<TestStore, 'view' | 'failure'> | undefined;
  readonly client: object;
  readonly #log: Log;
  /** Notifies the subscribers. */
  readonly listeners = new Set<() => void>();

  constructor(log: Log, client: object) {
    this.#log = log;
    this.client = { base, ...client };
  }

  get state(): string | undefined {
    return this.view?.state;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => { this.listeners.delete(listener); };
  }

  /** A response to `GET /session`. */
  answer(view: SessionView | undefined, failure?: TestStore['failure']): void {
    this.view = view;
    this.failure = failure;
    for (const listener of this.listeners) listener();
  }

  async refresh(): Promise<void> {
    this.#log('refresh');
    await Promise.resolve();
    const { next } = this;
    this.next = undefined;
    if (next) this.answer(next.view, next.failure);
  }

  adopt(view: SessionView): void {
    this.#log('adopt', view);
  }

  markEnded(): void {
    this.#log('markEnded');
  }

  watch(): void {
    this.#log('watch');
  }

  endWatch(): void {
    this.#log('endWatch');
  }
}

/** Waits for responses that are ready, and for what follows them. */
export function settled(): Promise<void> {
  return new Promise((resolve) => { setTimeout(resolve); });
}
