/**
 * The entries of the outbox at a box: those of its reader, with what their buttons do. The box and its thread show them; the
 * outbox of the document has them.
 */

import { articleKey, type ListedPost } from '@vestibule/shared';
import { VestibuleErrorEvent } from '../events/error-event.ts';
import { VestibuleBeforePostEvent, VestibulePostedEvent } from '../events/events.ts';
import { addStyles } from '../lib/add-styles.ts';
import type { RowButton } from '../lib/row-menu.ts';
import { actionStrings, type ActionStrings } from '../locales/en-actions.ts';
import { coreStrings } from '../locales/en.ts';
import { entryStrings, type EntryStrings } from '../locales/en-entries.ts';
import { problemStrings, type ProblemStrings } from '../locales/en-problems.ts';
import { readDraft, together, writeDraft, type Draft, type DraftKey } from '../storage/draft.ts';
import type { PressRecord } from '../storage/return-marker.ts';
import type { EntryParts } from '../thread/comment-view.ts';
import type { VestibuleThread } from '../thread/vestibule-thread.ts';
import { outboxOf } from '../writing/browser-environment.ts';
import { isAt, typeOf, type Entry, type Place } from '../writing/entry.ts';
import type { Outbox, Outlet, Report, ShownEntry } from '../writing/outbox.ts';
import type { Box } from './box.ts';
import { entryStyles } from '../writing/entry.styles.ts';
import { entryParts } from './entry-view.ts';
import { EntryRows } from './entry-rows.ts';
import { isFocusElsewhere } from './focus.ts';

type Reply = NonNullable<PressRecord['reply']>;

export class BoxEntries implements Outlet {
  readonly #box: Box;
  readonly #rows: EntryRows;
  #leave = (): void => {};
  #outbox: Outbox;
  /** Id of the entry whose deletion is asked about. */
  #asked: string | undefined;
  /** Where the entries were shown last. */
  #place: Place | undefined;
  readonly #styled = new WeakSet<ShadowRoot>();

  constructor(box: Box) {
    this.#box = box;
    this.#outbox = outboxOf(box.store.client.base);
    this.#rows = new EntryRows(box, () => this.shown.map(({ entry }) => entry.id));
  }

  /** Whose entries are shown: the reader who is signed in, or was until the session ended by itself. */
  get place(): Place {
    const { text: { key: { account } }, article, element: { forum } } = this.#box;
    return { account, forum, article: articleKey(article.page) };
  }

  get language(): string {
    return this.#box.localizer.tag;
  }

  get strings(): EntryStrings {
    return this.#box.localizer.strings('entries', entryStrings, this.#box.element.strings);
  }

  get actions(): ActionStrings {
    return this.#box.localizer.strings('actions', actionStrings, this.#box.element.strings);
  }

  get problems(): ProblemStrings {
    return this.#box.localizer.strings('problems', problemStrings, this.#box.element.strings);
  }

  /** Of the sentence of a row, for screen readers. */
  get name(): string {
    return this.#box.localizer.strings('core', coreStrings, this.#box.element.strings).message;
  }

  /** Those to show, the newest press first. The composer of a reply has none. */
  get shown(): readonly ShownEntry[] {
    return this.#box.element.parent ? [] : this.#outbox.entries(this.place);
  }

  /** Those of the reader that are not posted. */
  get #open(): readonly Entry[] {
    return this.#outbox.entries(this.place).map(({ entry }) => entry).filter(({ state }) => state !== 'posted');
  }

  /** Signing out deletes comments of the reader that are not posted. */
  get wouldLoseText(): boolean {
    return this.#open.length > 0;
  }

  /** The page can be left without losing the text of one. */
  get isSafe(): boolean {
    return this.shown.every(({ entry, isKept }) => isKept || entry.state === 'posted');
  }

  /** Resolves when the requests that are due have left. */
  get requested(): Promise<unknown> {
    return this.#outbox.requested;
  }

  /** One is on its way. */
  get isInDoubt(): boolean {
    return this.#open.some(({ state }) => state === 'sending');
  }

  connect(): void {
    if (!this.#box.element.parent) this.#leave = this.#outbox.attach(this);
  }

  disconnect(): void {
    this.#leave();
  }

  changeBff(): void {
    this.#leave();
    this.#outbox = outboxOf(this.#box.store.client.base);
  }

  hostUpdate(): void {
    this.#rows.hostUpdate();
    this.setReader();
    const before = this.#place;
    const place = this.#place = this.place;
    if (before && !isAt({ ...before, account: place.account }, place)) this.#outbox.leave(before);
  }

  hostUpdated(): void {
    this.#rows.hostUpdated();
    const root = this.#box.root.querySelector('vestibule-thread')?.shadowRoot;
    if (!root || this.#styled.has(root)) return;
    this.#styled.add(root);
    addStyles(root, entryStyles);
  }

  setReader(): void {
    const { store, account } = this.#box;
    this.#outbox.setAccount(account, store.view && (store.view.session ?? ''));
  }

  /** The reader uses this box: it says what becomes of comments. */
  use(): void {
    this.#outbox.use(this);
  }

  seeList(posts: readonly ListedPost[]): void {
    this.#outbox.seeList(this.place, posts);
  }

  /** Takes the text out of the field, unless the page cancels the event.
   *  @param at when the reader pressed, in milliseconds since the epoch
   *  @param reply one whose composer is not there any more: its draft is sent */
  press(at: number, reply?: Reply): Entry | undefined {
    const { element, text: field, article, store: { user } } = this.#box;
    const { parent, replyTo } = reply ?? element;
    const key = reply ? this.#replyKey(reply) : field.key;
    const text = (reply ? readDraft(key)?.text ?? '' : field.text).toWellFormed();
    if (!user || !this.#isAllowed(text, parent)) return undefined;
    if (readDraft(key)?.text !== text) writeDraft(key, text);
    this.setReader();
    return this.#outbox.press({
      ...this.place, id: readDraft(key)!.id, text, user, at, address: article.page,
      ...(parent && { parent, inReplyTo: replyTo }),
      take: () => {
        writeDraft(key, '');
        field.show();
      },
    });
  }

  replyDraft(reply: Reply): Draft | undefined {
    return readDraft(this.#replyKey(reply));
  }

  #replyKey({ parent }: Pick<Reply, 'parent'>): DraftKey {
    return { ...this.#box.text.key, parent };
  }

  /** The page may cancel a press. */
  #isAllowed(text: string, parent: string | undefined): boolean {
    return this.#box.element.dispatchEvent(new VestibuleBeforePostEvent(text, parent || undefined));
  }

  stop({ id }: Entry): void {
    this.#outbox.stop(id);
  }

  postAgain({ id, text, parent }: Entry): void {
    if (this.#isAllowed(text, parent)) this.#outbox.pressAgain(id);
  }

  /** Its text goes back to where it was written, before what stands there. That of a reply whose comment is not on the page (it
   *  may be removed) goes to the field of the box. */
  edit(entry: Entry): void {
    const { text, root } = this.#box;
    const thread = root.querySelector('vestibule-thread');
    const parent = thread?.comments.some(({ key }) => key === entry.parent) ? entry.parent : undefined;
    const key = parent ? this.#replyKey({ parent }) : text.key;
    const isSamePost = parent === entry.parent && !entry.isSpent;
    const writer = entry.account === key.account ? undefined : entry.user.username;
    writeDraft(key, together(entry.text, readDraft(key)?.text ?? ''), isSamePost ? entry.key : undefined, writer);
    this.#outbox.remove(entry);
    if (thread && parent) return this.#openReply(thread, parent);
    text.show();
    this.#box.focus();
  }

  /** The composer of a reply opens with its text and takes the focus. Where another one is open or the reader is elsewhere, the
   *  draft is named at its comment. */
  #openReply(thread: VestibuleThread, parent: string): void {
    const { root, text } = this.#box;
    if (!isFocusElsewhere(this.#box) && root.activeElement !== text.element) thread.replyingTo ??= parent;
    thread.shadowRoot?.querySelector('vestibule-comments')?.box?.text.follow();
  }

  /** The session is over: what was not sent yet is back in the field. */
  takeBack(): void {
    const [entry] = this.shown.map((one) => one.entry).filter(({ state, firstSentAt }) => state === 'sending' && firstSentAt === undefined);
    if (entry && isAt(entry, this.place)) this.#putBack(entry, true);
  }

  /** Also to the field of another reader, who has just pressed: both names are shown. */
  #putBack(entry: Entry, isOver: boolean): void {
    const { account, store: { failure } } = this.#box;
    this.edit(entry);
    if (!isOver && !failure && entry.account === account) this.#box.send({ type: 'press-failed' });
    else this.#box.send({ type: 'put-back', isOver, name: entry.user.username });
  }

  ask({ id }: Entry): void {
    this.#asked = id;
    this.#box.requestUpdate();
    void this.#rows.focus(id, '.question .keep');
  }

  answer(entry: Entry, isRemoved: boolean): void {
    this.#asked = undefined;
    if (isRemoved) this.#outbox.remove(entry);
    else void this.#rows.focus(entry.id, '.danger');
  }

  /** For its row in the box or in the thread. @param own buttons of the reader's comment that it stands for */
  readonly parts = (shown: ShownEntry, own: readonly RowButton[] = []): EntryParts => entryParts(shown, this, own);

  /** It belongs to the article of the box. */
  isHere({ article, forum }: Entry): boolean {
    return article === this.place.article && forum === this.place.forum;
  }

  isSignedIn({ account }: Entry): boolean {
    return account === this.#box.account;
  }

  /** Its deletion is asked about. */
  isAsked({ id }: Entry): boolean {
    return id === this.#asked;
  }

  onChange(): void {
    this.#box.requestUpdate();
  }

  tell({ entry, row, problem, created }: Report): void {
    const { element, store } = this.#box;
    if (created) element.dispatchEvent(new VestibulePostedEvent(created, entry.parent));
    if (problem && entry.state !== 'sending') element.dispatchEvent(new VestibuleErrorEvent(problem));
    const type = problem && typeOf(problem);
    if (type === 'not-signed-in') store.markEnded();
    // Not into a composition, which it would end.
    const isFirstAnswer = isAt(entry, this.place) && entry.attempts === 1 && entry.state === 'failed' && !this.#box.text.isComposing;
    if (isFirstAnswer && type === 'not-signed-in') return this.#putBack(entry, true);
    if (type === 'user-changed') {
      const known = store.refresh();
      if (isFirstAnswer) {
        return void known.then(() => {
          if (this.isHere(entry) && this.#outbox.has(entry)) this.#putBack(entry, false);
        });
      }
    }
    const { said, row: rows } = this.strings;
    const words = {
      posting: rows.posting, trying: rows.trying, offline: rows.offline, unknown: rows.unknown,
      // With its reason, which the row has.
      'not-posted': undefined, held: said.held, posted: entry.parent === undefined ? said.posted : said.replyPosted,
    }[row];
    if (words !== undefined) this.say(words);
    else void this.#sayRow(entry);
  }

  async #sayRow({ id }: Entry): Promise<void> {
    this.say(await this.#rows.textOf(id) ?? this.strings.row.notPostedPlain);
  }

  say(words: string): void {
    this.#box.announcer.say(words);
  }

  /** After a press, on a device without keyboard: the field would open one. */
  focusEntry({ id }: Entry): void {
    // Of the main button, which is hidden at rest: an update would give its focus to the field.
    (this.#box.root.activeElement as HTMLElement | null)?.blur();
    void this.#rows.focus(id, '.say');
  }
}
