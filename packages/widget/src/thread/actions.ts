/**
 * The reader's own comments and likes: edit in place, remove after one question, like. All are shown at the press, and taken back
 * with a word if they fail. Every request is safe to repeat: one whose answer is lost is sent again within a minute, in
 * this page only.
 */

import { html, nothing, type TemplateResult } from 'lit';
import { countCodePoints, endpoints, isBlank, refusalReason, type Endpoint, type PostEdited, type PostLiked } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import { BffClient, BffError, LIST_AGE_MS } from '../client/client.ts';
import { editorView } from '../writing/editor-view.ts';
import { questionView } from '../writing/question-view.ts';
import { VestibuleErrorEvent } from '../events/error-event.ts';
import { passFocus } from '../lib/pass-focus.ts';
import { actionStrings, type ActionStrings } from '../locales/en-actions.ts';
import { problemStrings } from '../locales/en-problems.ts';
import { readDraft, writeDraft, type DraftKey } from '../storage/draft.ts';
import { writeRecord } from '../storage/readers.ts';
import type { Comment } from './comment-tree.ts';
import { readActs, withActs, type Act, type Acts } from './reader-acts.ts';
import type { ReaderController } from './reader-controller.ts';
import type { VestibuleThread } from './vestibule-thread.ts';

/** How long a request without an answer is repeated. */
const REPEAT_MS = 60_000;

/** Problems with words of their own: the reader can do something about them, or nothing. */
const TOLD = [
  'not-signed-in', 'network', 'too-many-requests', 'message-too-long', 'payload-too-large', 'service-unavailable', 'service-refused',
];

/** What the reader is doing with a comment. */
interface Task {
  readonly name: 'editing' | 'confirming' | 'removing' | 'failed';
  /** Of an edit: what the field has. A text that another tab writes meanwhile is kept beside it. */
  readonly text?: string;
  readonly draft?: DraftKey;
  /** The request is out. */
  readonly isBusy?: boolean;
  /** What an edit or a removal that is on its way changes: its answer moves nothing. */
  readonly act?: Omit<Act, 'at'> | undefined;
  /** Why the last attempt has failed. */
  readonly failure?: unknown;
  /** It has failed because of the session: it is said after that has changed, too. */
  readonly isOfSession?: boolean;
}

const FAILED: Task = { name: 'failed' };

/** Parts of a comment that depend on the reader. */
export interface OwnParts {
  /** Its text is in a field, or was until the request for it left. */
  readonly isEditing: boolean;
  readonly isSaving: boolean;
  /** In place of the text. */
  readonly editor: TemplateResult | undefined;
  /** In place of the row. */
  readonly question: TemplateResult | undefined;
  /** Below the row. */
  readonly notes: unknown;
  /** In place of the comment, which the reader has deleted in this visit. */
  readonly deleted: string | undefined;
}

export class ThreadActions {
  readonly #reader: ReaderController;
  readonly #host: VestibuleThread;
  readonly #tasks = new Map<string, Task>();
  /** Of the present reader on the page: another one aborts what was pressed before, also if the same account signs in again. */
  #visit = new AbortController();
  #stored: Acts = { liked: [], done: {} };
  /** Likes that are on their way, by the ids of comments: whether the reader likes it now, and the number to be shown. */
  readonly #likes = new Map<string, { isLiked: boolean; readonly act: Act }>();
  /** Ids of the comments that a reader has deleted in this visit: a line stands in their place, also after the sign-out. */
  readonly #deleted = new Set<string>();

  constructor(reader: ReaderController) {
    this.#reader = reader;
    this.#host = reader.host;
    this.read();
  }

  /** What is on its way, and what is stored. */
  get #acts(): Acts {
    const { liked, done } = this.#stored;
    const ids = new Set(liked);
    for (const [id, { isLiked }] of this.#likes) ids[isLiked ? 'add' : 'delete'](id);
    const pending = [
      ...[...this.#likes].map(([id, { act }]) => [id, { ...done[id], ...act }] as const),
      ...[...this.#tasks].filter(([, { act }]) => act)
        .map(([id, { act }]) => [id, { ...done[id], ...act, at: Date.now() }] as const),
    ];
    return { liked: [...ids], done: { ...done, ...Object.fromEntries(pending) } };
  }

  /** Reads what the account has done here, in another tab too. Without an account nothing is. */
  read(): void {
    this.#stored = this.#host.account ? readActs(this.#reader.storageKey) : { liked: [], done: {} };
  }

  /** The comments as the reader has left them. */
  arrange(comments: readonly Comment[]): readonly Comment[] {
    return withActs(comments, this.#acts, this.#reader.thread.readAt, this.#deleted);
  }

  /** Ids of the comments that the reader has removed since the list was read. */
  removedSince(readAt: number): ReadonlySet<unknown> {
    const acts = Object.entries(this.#acts.done);
    return new Set(acts.filter(([, { at, isRemoved }]) => isRemoved && at > readAt - LIST_AGE_MS).map(([id]) => id));
  }

  /** Another reader, or none: what was begun is not theirs. Drafts stay with their account. */
  clear(): void {
    this.#visit.abort();
    this.#visit = new AbortController();
    for (const [id, { isOfSession, failure }] of this.#tasks) this.#setTask(id, isOfSession ? { ...FAILED, failure } : undefined);
    this.#likes.clear();
    this.read();
  }

  /** Shown at once, and taken back with a word if it is refused. A press while a request is out decides the next one.
   *  @param wants what was stored meanwhile may be the same */
  async like({ key, likes, isLiked = false }: Comment, wants: boolean): Promise<void> {
    const id = String(key);
    if (wants === isLiked) return;
    const shown = { isLiked: wants, act: { at: Date.now(), likes: Math.max(0, (likes ?? 0) + (wants ? 1 : -1)) } };
    const isOut = this.#likes.has(id);
    this.#likes.set(id, shown);
    if (this.#tasks.get(id)?.name === 'failed') this.#tasks.delete(id);
    this.#host.requestUpdate();
    if (isOut) return;
    const { forum, page, account } = this.#host;
    const { signal } = this.#visit;
    for (let liked = wants; ; liked = this.#likes.get(id)!.isLiked) {
      const body = { forum, page, liked, expected_user_id: account };
      const answer = await this.#send<PostLiked>(endpoints.postLike, id, { body });
      if (signal.aborted) return;
      const latest = this.#likes.get(id)!;
      if (answer && latest.isLiked !== liked && Date.now() - latest.act.at < REPEAT_MS) continue;
      this.#likes.delete(id);
      if (answer) this.#store(id, { at: Date.now(), likes: answer.likes ?? latest.act.likes }, liked);
      this.#host.requestUpdate();
      return;
    }
  }

  /** Its reader has deleted it in this visit. */
  isDeleted({ key, isOwn, isRemoved }: Comment): boolean {
    return isRemoved === true && isOwn === true && this.#deleted.has(String(key));
  }

  /** Changes with all that `partsOf` shows beside the comment. */
  taskOf(key: Comment['key']): unknown {
    return this.#tasks.get(String(key));
  }

  partsOf(comment: Comment): OwnParts {
    const { key, message, isRemoved, mark } = comment;
    const id = String(key);
    const task = this.#tasks.get(id);
    const isEditing = task?.name === 'editing';
    const isSaving = isEditing && task.isBusy === true;
    const strings = this.#strings;
    const note = (text: unknown, part?: 'alert'): TemplateResult => html`
      <p class=${part ? 'failure' : 'tag'} part=${part ?? nothing} role=${part ?? nothing} lang=${this.#host.localizer.tag}>${text}</p>`;
    return {
      isEditing, isSaving,
      editor: isEditing && !isSaving ? this.#editorView(id, message, task) : undefined,
      question: task?.name === 'confirming' && !isRemoved ? this.#questionView(id) : undefined,
      notes: isRemoved ? nothing : [
        mark === 'pending' ? note(strings.pending) : nothing,
        task?.failure && !isEditing ? note(task.failure, 'alert') : nothing,
      ],
      deleted: this.isDeleted(comment) ? strings.removed : undefined,
    };
  }

  #editorView(id: string, message: string, { text = '', failure }: Task): TemplateResult {
    const { field, save, cancel } = this.#strings;
    return editorView({
      tag: this.#host.localizer.tag, label: field, text, failure, submitLabel: save, cancelLabel: cancel,
      write: (written) => this.#write(id, written, message),
      submit: () => void this.#save(id),
      cancel: () => this.#closeEditor(id),
    });
  }

  #questionView(id: string): TemplateResult {
    const { confirmRemove, remove, keep } = this.#strings;
    return html`<div lang=${this.#host.localizer.tag}>${questionView({
      id: `ask-${encodeURIComponent(id)}`, question: confirmRemove, keep, remove,
      onKeep: () => this.#closeQuestion(id),
      onRemove: () => void this.#remove(id),
    })}</div>`;
  }

  edit({ key, message }: Comment): void {
    const id = String(key);
    if (this.#tasks.get(id)?.isBusy) return;
    const draft = { ...this.#reader.recordKey, parent: `edit ${id}` };
    this.#setTask(id, { name: 'editing', draft, text: readDraft(draft)?.text || message });
    this.#focus(id, 'textarea');
  }

  confirmRemoval({ key }: Comment): void {
    const id = String(key);
    this.#setTask(id, { name: 'confirming' });
    this.#pass(id, '.question .keep');
  }

  /** The draft stays. */
  #closeEditor(id: string): void {
    this.#setTask(id);
    this.#focus(id, '.edit');
  }

  #closeQuestion(id: string): void {
    this.#setTask(id);
    this.#pass(id, '.dots, .danger');
  }

  #write(id: string, text: string, message: string): void {
    const { draft, failure } = this.#tasks.get(id)!;
    writeDraft(draft!, text === message ? '' : text);
    this.#tasks.set(id, { name: 'editing', draft: draft!, text });
    if (failure) this.#host.requestUpdate();
  }

  async #save(id: string): Promise<void> {
    const { forum, page, account, maxLength } = this.#host;
    const task = this.#tasks.get(id)!;
    if (task.isBusy) return;
    const { draft, text = '' } = task;
    const message = text.toWellFormed();
    const isTooLong = maxLength !== null && maxLength > 0 && countCodePoints(message) > maxLength;
    if (isBlank(message) || isTooLong) {
      this.#setTask(id, { ...task, failure: isTooLong ? this.#problems['message-too-long'] : this.#strings.empty });
      return this.#focus(id, 'textarea');
    }
    const before = this.#host.comments.find(({ key }) => key === id);
    const pressed = { message: text.trim(), editedAt: new Date().toISOString() };
    this.#setTask(id, { ...task, isBusy: true, failure: undefined, act: pressed });
    this.#focus(id, '.edit', true);
    const { signal } = this.#visit;
    const body = { forum, page, message, expected_user_id: account };
    const answer = await this.#send<PostEdited>(endpoints.postEdit, id, { body, member: 'listed' });
    if (!answer || signal.aborted) return;
    const { listed } = answer;
    const isPending = listed.state === 'pending';
    const edited = { message: listed.message, editedAt: listed.edited_at ?? new Date().toISOString() };
    // What was written in another tab meanwhile stays.
    if (readDraft(draft!)?.text === text) writeDraft(draft!, '');
    const earlier = before?.mark === 'pending' ? readActs(this.#reader.storageKey).done[id]?.before : undefined;
    this.#store(id, { at: Date.now(), ...edited, before: isPending ? earlier ?? before?.message : undefined });
    this.#host.say(this.#strings[isPending ? 'pending' : 'saved']);
    this.#setTask(id);
  }

  async #remove(id: string): Promise<void> {
    const { forum, page, userKey } = this.#host;
    const { signal } = this.#visit;
    const isHere = this.#host.find(id, '.question:focus-within, .author:focus');
    this.#deleted.add(id);
    this.#setTask(id, { name: 'removing', isBusy: true, act: { isRemoved: true } });
    // The focus says it, too.
    if (isHere) this.#focus(id, '.author', true);
    else this.#host.say(this.#strings.removed);
    const query = { forum, page, ...(userKey !== undefined && { expected_key: userKey }) };
    const answer = await this.#send(endpoints.postRemove, id, { query });
    if (!answer) this.#deleted.delete(id);
    else if (!signal.aborted) {
      this.#store(id, { at: Date.now(), isRemoved: true });
      this.#setTask(id);
    }
    this.#host.requestUpdate();
  }

  /** @param isLiked default: as it was */
  #store(id: string, act: Act, isLiked?: boolean): void {
    const { storageKey } = this.#reader;
    const { liked, done } = readActs(storageKey);
    const ids = new Set(liked);
    if (isLiked === true) ids.add(id);
    else if (isLiked === false) ids.delete(id);
    writeRecord(storageKey, { liked: [...ids], done: { ...done, [id]: { ...done[id], ...act } } } satisfies Acts);
    this.read();
    this.#host.requestUpdate();
  }

  /** `undefined`: it has failed, which is said below the comment, unless the reader is another one. */
  async #send<Answer = object>(
    endpoint: Endpoint, id: string,
    parts: { readonly body?: object; readonly query?: Readonly<Record<string, string>>; readonly member?: string },
  ): Promise<Answer | undefined> {
    const host = this.#host;
    const { account, page, localizer } = host;
    const client = new BffClient(bffAddress(host.bff));
    const until = Date.now() + REPEAT_MS;
    const { signal } = this.#visit;
    // A page may take the thread out of the document and put it back later: the outcome counts all the same.
    const isSame = (): boolean => host.account === account && host.page === page && !signal.aborted;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await client.act<Answer>(endpoint, id, { ...parts, language: localizer.tag });
      } catch (error) {
        if (!(error instanceof BffError)) throw error;
        if (!isSame()) return undefined;
        const waitMs = (error.retryAfterSeconds ?? 2 ** attempt) * 1000;
        if (error.problem.retryable && navigator.onLine && host.isConnected && Date.now() + waitMs < until) {
          await new Promise((resolve) => setTimeout(resolve, waitMs));
          // The machine may have slept.
          if (isSame() && host.isConnected && Date.now() < until) continue;
        }
        if (isSame()) this.#fail(id, error);
        return undefined;
      }
    }
  }

  #fail(id: string, { type, problem }: BffError): void {
    const host = this.#host;
    // The text is that of the account that wrote it: the session tells who is signed in.
    const isOfSession = type === 'not-signed-in' || type === 'user-changed';
    if (isOfSession) host.dispatchEvent(new Event('stale'));
    host.dispatchEvent(new VestibuleErrorEvent(problem));
    const failure = this.#wordsOf(type, problem);
    const known = this.#tasks.get(id);
    const task = known && known.name !== 'removing' ? known : FAILED;
    const isHere = host.find(id, '.acts, .entry')?.matches(':focus-within');
    this.#setTask(id, { ...task, isBusy: false, act: undefined, failure, isOfSession });
    // The field is there again.
    if (task.name === 'editing' && isHere) this.#focus(id, 'textarea', true);
  }

  #wordsOf(type: BffError['type'], problem: BffError['problem']): unknown {
    const { gone, otherAccount, failed } = this.#strings;
    if (type === 'not-found') return gone;
    if (type === 'user-changed') return otherAccount;
    // The publisher's own words.
    const reason = type === 'post-rejected' && refusalReason(problem);
    if (reason) return html`<q><bdi>${reason}</bdi></q>`;
    return TOLD.includes(type) ? this.#problems[type] : failed;
  }

  #setTask(id: string, task?: Task): void {
    if (task) this.#tasks.set(id, task);
    else this.#tasks.delete(id);
    this.#host.requestUpdate();
  }

  #focus(id: string, selector: string, preventScroll = false): void {
    void this.#host.updateComplete.then(() => this.#host.find(id, selector)?.focus({ preventScroll }));
  }

  #pass(id: string, selector: string): void {
    void passFocus(this.#host.find(id, '.author'), () => this.#host.find(id, selector), this.#host.updateComplete);
  }

  get #strings(): ActionStrings {
    return this.#host.localizer.strings('actions', actionStrings, this.#host.strings);
  }

  get #problems(): typeof problemStrings {
    return this.#host.localizer.strings('problems', problemStrings, this.#host.strings);
  }
}
