/**
 * The entries of the outbox at a box: those of its reader and its article, with what their buttons do. The box and its thread
 * show them; the outbox of the document has them.
 */

import type { ReactiveController } from 'lit';
import { articleKey, isBlank, type ListedPost, type SessionUser } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import { VestibuleErrorEvent } from '../events.ts';
import { VestibuleBeforePostEvent, VestibulePostedEvent } from '../later-events.ts';
import { addStyles } from '../lib/add-styles.ts';
import { setText } from '../lib/live-text.ts';
import { onceFocused } from '../lib/once-focused.ts';
import type { RowButton } from '../lib/row-menu.ts';
import { commentsStrings } from '../locales/en-comments.ts';
import { entryStrings, type EntryStrings } from '../locales/en-entries.ts';
import { problemStrings } from '../locales/en-problems.ts';
import { browserEnvironment, documentOutbox } from '../outbox/document-outbox.ts';
import { browserStore, listEntries, type EntryKey, type OutboxEntry, type Place } from '../outbox/outbox-entry.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { PressAgain, ShownEntry } from '../outbox/press.ts';
import { adoptRecords } from '../outbox/release-0.3.ts';
import type { Outlet, Report } from '../outbox/reports.ts';
import { readSignOut } from '../storage/reader-records.ts';
import { Draft } from '../storage/draft.ts';
import { hintedAccount, type PressRecord } from '../storage/storage.ts';
import { documentAddress } from '../storage/typed.ts';
import { Article } from './article.ts';
import { entryStyles } from './entry.styles.ts';
import { entryParts, type EntryActions, type EntryParts } from './entry-view.ts';
import { EntryRows } from './entry-rows.ts';
import type { Box, CommentsHost } from './second-stage.ts';

/** That of the field, which the first stage has. */
const label = { message: 'Your comment' };

type Reply = NonNullable<PressRecord['reply']>;

/** How often a wait is counted down, in ms. */
const COUNT_MS = 1_000;

export class EntriesController implements ReactiveController, Outlet, EntryActions {
  readonly #host: CommentsHost;
  readonly #box: Box;
  readonly #outbox: Outbox = documentOutbox();
  readonly #rows: EntryRows;
  /** One article in one document: boxes of one article have the same. */
  visit: string;
  #leave = (): void => {};
  /** As the outbox knows it. */
  #session: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Entries whose text is being edited, each with the reason why that was not taken; those whose whole reason is shown. By
   *  their ids. */
  readonly editing = new Map<string, string | undefined>();
  readonly unfolded = new Set<string>();

  constructor(host: CommentsHost, box: Box) {
    this.#host = host;
    this.#box = box;
    this.visit = this.#outbox.visitOf(this);
    this.#rows = new EntryRows(host, () => this.shown.map(({ entry }) => entry.id));
    this.#style(host.renderRoot as ShadowRoot);
  }

  get bff(): string {
    return bffAddress(this.#host.bff).href;
  }

  /** Whose entries are shown: the reader who is signed in, was until the session ended by itself, or is expected. */
  get account(): string {
    return this.#host.draft.key.account || (hintedAccount(bffAddress(this.#host.bff)) ?? '');
  }

  get forum(): string {
    return this.#host.forum;
  }

  get article(): string {
    return articleKey(Article.of(this.#host).page);
  }

  get language(): string {
    return this.#host.localizer.tag;
  }

  get #place(): Place {
    const { bff, account, forum, article } = this;
    return { bff, account, forum, article };
  }

  get #press(): PressAgain {
    return { session: this.#box.store.view?.session, signOut: this.#outbox.signOutId(this.bff) };
  }

  get strings(): EntryStrings {
    return this.#host.localizer.strings('entries', entryStrings, this.#host.strings);
  }

  /** Those to show, the newest press of this visit first; after a sign-out the public ones. The composer of a reply has none. */
  get shown(): readonly ShownEntry[] {
    return this.#host.parent ? [] : this.#outbox.entries(this.#place, this.visit);
  }

  /** Of the account, at every article. */
  get #all(): readonly OutboxEntry[] {
    const { bff, account } = this;
    return [...listEntries(browserStore, { bff, account }, Date.now()), ...this.shown.map(({ entry }) => entry)];
  }

  /** Signing out deletes comments that are not posted. */
  get wouldLoseText(): boolean {
    return this.#all.some((entry) => entry.state !== 'posted');
  }

  /** One is on its way, or may be posted. */
  get isInDoubt(): boolean {
    return this.#all.some((entry) => entry.state === 'out' || ('unsureSince' in entry && entry.unsureSince !== undefined));
  }

  hostConnected(): void {
    if (this.#host.parent) return;
    this.#leave = this.#outbox.attach(this);
    document.addEventListener('visibilitychange', this.#keepPlaces);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#leave();
    document.removeEventListener('visibilitychange', this.#keepPlaces);
  }

  /** The same reader may have signed in again. */
  hostUpdate(): void {
    if (this.#box.store.view?.session !== this.#session) this.onSession();
  }

  hostUpdated(): void {
    this.#style(this.#thread?.shadowRoot);
    clearTimeout(this.#timer);
    const isWaiting = this.shown.some(({ entry }) => entry.state === 'waiting' && entry.until !== undefined);
    if (isWaiting) this.#timer = setTimeout(() => this.#host.requestUpdate(), COUNT_MS);
  }

  readonly #keepPlaces = (): void => {
    if (!document.hidden) return;
    for (const { entry } of this.shown) {
      this.#outbox.keepRoom(entry, { address: documentAddress(), height: this.#rows.heightOf(entry) });
    }
  };

  readonly #styled = new WeakSet<ShadowRoot>();

  #style(root: ShadowRoot | null | undefined): void {
    if (!root || this.#styled.has(root)) return;
    this.#styled.add(root);
    addStyles(root, entryStyles);
  }

  /** The box shows another article, or the same one under another name: then its visit goes on. */
  onArticleChange(isRenamed: boolean): void {
    if (!isRenamed) this.visit = this.#outbox.visitOf(this);
    this.editing.clear();
  }

  onSession(): void {
    const { store, account } = this.#box;
    const { user, session } = store.view ?? {};
    this.#session = session;
    if (account && user) void this.#adopt(user);
    this.#outbox.setAccount(this.bff, account, session);
  }

  async #adopt(user: SessionUser): Promise<void> {
    if (await adoptRecords(this.bff, user, browserEnvironment)) this.#outbox.showStored();
    this.#box.drafts.follow();
  }

  onSignOut(): void {
    const { id, at, account } = readSignOut(this.bff)!;
    this.#outbox.signOut(this.bff, { id: id ?? String(at), account });
  }

  /** The reader uses this box: it says what became of a comment on an article without one. */
  use(): void {
    this.#outbox.use(this);
  }

  seeList(posts: readonly ListedPost[]): void {
    if (this.account) this.#outbox.seeList(this.#place, this.visit, posts);
  }

  /** Takes the text out of the field, unless the page cancels the event.
   *  @param at when the reader pressed, in milliseconds since the epoch
   *  @param reply one whose composer is not there any more: its draft is sent */
  press(at: number, reply?: Reply): OutboxEntry | undefined {
    const host = this.#host;
    const { parent, replyTo } = reply ?? host;
    const draft = reply ? this.replyDraft(reply) : host.draft;
    const text = (reply ? draft.text : host.field.value).toWellFormed();
    const { user } = this.#box.store.view ?? {};
    if (!user || !this.#isAllowed(text, parent)) return undefined;
    if (draft.text !== text) draft.edit(text);
    return this.#outbox.press({
      ...this.#place, ...this.#press, visit: this.visit, text, user, at,
      ...(parent && { parent, inReplyTo: replyTo }),
      address: Article.of(this.#host).page,
      taken: `${draft.storageKey} ${draft.updatedAt}`,
      take: () => {
        draft.edit('');
        this.#box.drafts.show();
      },
    });
  }

  replyDraft({ parent }: Reply): Draft {
    return new Draft({ ...this.#host.draft.key, parent });
  }

  /** The page may cancel a press. */
  #isAllowed(text: string, parent: string | undefined): boolean {
    return this.#host.dispatchEvent(new VestibuleBeforePostEvent(text, parent || undefined));
  }

  tryNow(entry: EntryKey): void {
    this.#outbox.tryNow(entry);
  }

  stop(entry: EntryKey): void {
    this.#outbox.act(entry, { type: 'stop' });
  }

  postAgain(entry: OutboxEntry, at?: number): void {
    if (this.#box.account !== entry.account) return this.signInAndPost(entry);
    if (this.#isAllowed(entry.text, entry.parent)) this.#outbox.pressAgain(entry, { ...this.#press, at });
  }

  signInAndPost(entry: OutboxEntry): void {
    this.#box.signInAndPost(entry, entry.text);
  }

  /** A press of an entry whose account has signed in meanwhile. Returns `false` if its reader has changed the text since.
   *  @param at when the reader pressed, in milliseconds since the epoch */
  carryOut(id: string, text: string, at: number): boolean {
    const entry = this.#find({ id });
    if (!entry) return true;
    const isOpen = this.editing.has(id);
    const isEdited = isOpen || entry.edited !== undefined;
    if (entry.state === 'unsure') this.postAgain(entry, at);
    else if (isEdited && text === (entry.edited ?? entry.text).toWellFormed()) this.submitEdit(entry, text, at);
    else if (!isOpen && text === entry.text) this.postAgain(entry, at);
    else return false;
    return true;
  }

  edit(entry: OutboxEntry): void {
    this.editing.set(entry.id, undefined);
    void this.#rows.focus(entry, 'textarea');
  }

  write(entry: OutboxEntry, text: string): void {
    if (this.editing.get(entry.id)) this.editing.set(entry.id, undefined);
    this.#outbox.act(entry, { type: 'edit', text });
  }

  cancelEdit(entry: OutboxEntry): void {
    this.editing.delete(entry.id);
    this.#outbox.act(entry, { type: 'cancel-edit' });
    void this.#rows.focus(entry, '.say');
  }

  submitEdit(entry: OutboxEntry, written: string, at?: number): void {
    const text = written.toWellFormed();
    if (isBlank(text)) {
      const { localizer, strings } = this.#host;
      this.editing.set(entry.id, localizer.strings('comments', commentsStrings, strings).status.empty);
      return void this.#rows.focus(entry, 'textarea');
    }
    if (this.#box.account !== entry.account) return this.#box.signInAndPost(entry, text);
    if (!this.#isAllowed(text, entry.parent)) return;
    this.editing.delete(entry.id);
    this.#outbox.pressAgain(entry, { ...this.#press, at, text });
    void this.#rows.focus(entry, '.say');
  }

  /** The entry as it is now. */
  #find({ id }: Pick<EntryKey, 'id'>): OutboxEntry | undefined {
    return this.shown.find(({ entry }) => entry.id === id)?.entry;
  }

  remove(entry: EntryKey): void {
    this.#outbox.remove(entry);
    void this.#rows.focus(entry, 'button');
    this.say(this.strings.row.deleted);
  }

  undo(entry: EntryKey): void {
    this.#outbox.undo(entry);
    void this.#rows.focus(entry, '.say');
    void this.#sayRow(entry);
  }

  confirm(entry: EntryKey): void {
    this.#outbox.act(entry, { type: 'confirm' });
  }

  unfold({ id }: EntryKey): void {
    if (!this.unfolded.delete(id)) this.unfolded.add(id);
    this.#host.requestUpdate();
  }

  /** For its row in the box or in the thread. @param own buttons of the reader's comment that it stands for */
  parts(shown: ShownEntry, own: readonly RowButton[] = []): EntryParts {
    const { localizer, strings } = this.#host;
    const { account, store: { view } } = this.#box;
    return entryParts(shown, {
      tag: localizer.tag, strings: this.strings, problems: localizer.strings('problems', problemStrings, strings),
      name: localizer.strings('core', label, strings).message,
      isEditing: this.editing.has(shown.entry.id), failure: this.editing.get(shown.entry.id),
      isUnfolded: this.unfolded.has(shown.entry.id), own,
      session: view?.session, isSignedIn: !view || account === shown.entry.account, now: Date.now(),
    }, this);
  }

  onChange(): void {
    this.#host.requestUpdate();
  }

  tell({ entry, row, problem, created, isElsewhere }: Report): void {
    const host = this.#host;
    if (created) host.dispatchEvent(new VestibulePostedEvent(created, entry.parent));
    const isOver = row === 'not-posted' || row === 'session-over' || row === 'unsure';
    if (problem && isOver) host.dispatchEvent(new VestibuleErrorEvent(problem));
    if (problem?.type === 'urn:vestibule:not-signed-in') this.#box.send({ type: 'session-over' });
    if (problem?.type === 'urn:vestibule:user-changed') this.#box.send({ type: 'other-account' });
    if (isElsewhere) {
      this.#box.send({ type: 'elsewhere', outcome: row === 'unsure' ? 'unsure' : 'notPosted', address: entry.address });
      return;
    }
    // The box says it: the entry is not shown any more.
    if (problem?.type === 'urn:vestibule:user-changed') return;
    const { said, row: rows } = this.strings;
    const words = {
      posting: rows.posting, 'not-posted-yet': said.notPostedYet, 'not-confirmed-yet': said.notConfirmedYet, offline: rows.offline,
      // With its reason, which the row has.
      'not-posted': undefined, 'session-over': rows.sessionOver, unsure: rows.unsure,
      held: said.held, posted: entry.parent === undefined ? said.posted : said.replyPosted,
    }[row];
    if (words !== undefined) this.say(words);
    else void this.#sayRow(entry);
  }

  async #sayRow(entry: EntryKey): Promise<void> {
    this.say(await this.#rows.textOf(entry) ?? this.strings.row.notPostedPlain);
  }

  /** The same sentence again, where it is true of another entry. */
  say(words: string): void {
    onceFocused(() => {
      const region = this.#host.renderRoot.querySelector('#said');
      if (region) setText(region, words, true);
    });
  }

  /** After a press, on a device without keyboard: the field would open one. */
  focusEntry(entry: OutboxEntry): void {
    // Of the main button, which is hidden at rest: an update would give its focus to the field.
    ((this.#host.renderRoot as ShadowRoot).activeElement as HTMLElement | null)?.blur();
    void this.#rows.focus(entry, '.say');
  }

  get #thread(): HTMLElement | null {
    return this.#host.renderRoot.querySelector('vestibule-thread');
  }
}
