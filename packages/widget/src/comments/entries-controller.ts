/**
 * The entries of the outbox at a box: those of its reader, with what their buttons do. The box and its thread show them; the
 * outbox of the document has them.
 */

import type { ReactiveController } from 'lit';
import { articleKey, type ListedPost } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import { VestibuleBeforePostEvent, VestibuleErrorEvent, VestibulePostedEvent } from '../events.ts';
import { addStyles } from '../lib/add-styles.ts';
import type { RowButton } from '../lib/row-menu.ts';
import { actionStrings, type ActionStrings } from '../locales/en-actions.ts';
import { entryStrings, type EntryStrings } from '../locales/en-entries.ts';
import { problemStrings } from '../locales/en-problems.ts';
import { Draft, together } from '../storage/draft.ts';
import { hintedAccount, type PressRecord } from '../storage/storage.ts';
import { outboxOf } from '../writing/browser-environment.ts';
import { isAt, typeOf, type Entry, type Place } from '../writing/entry.ts';
import type { Outbox, Outlet, Report, ShownEntry } from '../writing/outbox.ts';
import { Article } from './article.ts';
import { entryStyles } from './entry.styles.ts';
import { entryParts, type EntryActions, type EntryParts } from './entry-view.ts';
import { EntryRows } from './entry-rows.ts';
import type { Box, CommentsHost } from './box-host.ts';

/** That of the field, which the first stage has. */
const label = { message: 'Your comment' };

type Reply = NonNullable<PressRecord['reply']>;

export class EntriesController implements ReactiveController, Outlet, EntryActions {
  readonly #host: CommentsHost;
  readonly #box: Box;
  readonly #rows: EntryRows;
  #leave = (): void => {};
  /** The one that was attached. */
  #outbox: Outbox;
  /** Id of the entry whose deletion is asked about. */
  #asked: string | undefined;
  /** Where the entries were shown last. */
  #place: Place | undefined;

  constructor(host: CommentsHost, box: Box) {
    this.#host = host;
    this.#box = box;
    this.#outbox = outboxOf(bffAddress(host.bff));
    this.#rows = new EntryRows(host, () => this.shown.map(({ entry }) => entry.id));
    this.#style(host.renderRoot as ShadowRoot);
  }

  /** Whose entries are shown: the reader who is signed in, was until the session ended by itself, or is expected. */
  get place(): Place {
    const { draft, forum, bff } = this.#host;
    return {
      account: draft.key.account || (hintedAccount(bffAddress(bff)) ?? ''), forum, article: articleKey(Article.of(this.#host).page),
    };
  }

  get language(): string {
    return this.#host.localizer.tag;
  }

  get strings(): EntryStrings {
    return this.#host.localizer.strings('entries', entryStrings, this.#host.strings);
  }

  get #actions(): ActionStrings {
    return this.#host.localizer.strings('actions', actionStrings, this.#host.strings);
  }

  /** Those to show, the newest press first. The composer of a reply has none. */
  get shown(): readonly ShownEntry[] {
    return this.#host.parent ? [] : this.#outbox.entries(this.place);
  }

  /** Signing out deletes comments that are not posted. */
  get wouldLoseText(): boolean {
    return this.#outbox.open.length > 0;
  }

  /** One is on its way. */
  get isInDoubt(): boolean {
    return this.#outbox.open.some(({ state }) => state === 'sending');
  }

  hostConnected(): void {
    if (!this.#host.parent) this.#leave = this.#outbox.attach(this);
  }

  hostDisconnected(): void {
    this.#leave();
  }

  hostUpdate(): void {
    const outbox = outboxOf(bffAddress(this.#host.bff));
    if (outbox !== this.#outbox) {
      this.#leave();
      this.#outbox = outbox;
      if (this.#host.isConnected) this.hostConnected();
    }
    this.onSession();
    const before = this.#place;
    const place = this.#place = this.place;
    if (before && !isAt({ ...before, account: place.account }, place)) outbox.leave(before);
  }

  hostUpdated(): void {
    this.#style(this.#host.renderRoot.querySelector('vestibule-thread')?.shadowRoot);
  }

  readonly #styled = new WeakSet<ShadowRoot>();

  #style(root: ShadowRoot | null | undefined): void {
    if (!root || this.#styled.has(root)) return;
    this.#styled.add(root);
    addStyles(root, entryStyles);
  }

  onSession(): void {
    const { store, account } = this.#box;
    this.#outbox.setAccount(account, store.view?.session);
  }

  onSignOut(): void {
    this.#outbox.clear();
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
    const host = this.#host;
    const { parent, replyTo } = reply ?? host;
    const draft = reply ? this.replyDraft(reply) : host.draft;
    const text = (reply ? draft.text : host.field.value).toWellFormed();
    const { user } = this.#box.store.view ?? {};
    if (!user || !this.#isAllowed(text, parent)) return undefined;
    if (draft.text !== text) draft.edit(text);
    this.onSession();
    return this.#outbox.press({
      ...this.place, id: draft.id, text, user, at, address: Article.of(host).page,
      ...(parent && { parent, inReplyTo: replyTo }),
      take: () => {
        draft.edit('');
        this.#box.drafts.show();
      },
    });
  }

  replyDraft({ parent }: Pick<Reply, 'parent'>): Draft {
    return new Draft({ ...this.#host.draft.key, parent });
  }

  /** The page may cancel a press. */
  #isAllowed(text: string, parent: string | undefined): boolean {
    return this.#host.dispatchEvent(new VestibuleBeforePostEvent(text, parent || undefined));
  }

  stop({ id }: Entry): void {
    this.#outbox.stop(id);
  }

  postAgain({ id, text, parent }: Entry): void {
    if (this.#isAllowed(text, parent)) this.#outbox.pressAgain(id);
  }

  /** Its text goes back to where it was written, before what stands there. */
  edit(entry: Entry): void {
    const { draft } = this.#host;
    const own = entry.parent ? this.replyDraft({ parent: entry.parent }) : draft;
    own.edit(together(entry.text, own.text), entry.isSpent ? undefined : entry.key);
    this.#outbox.remove(entry.id);
    if (own !== draft) return this.#host.requestUpdate();
    this.#box.drafts.show();
    this.#host.focus();
  }

  ask({ id }: Entry): void {
    this.#asked = id;
    this.#host.requestUpdate();
    void this.#rows.focus(id, '.question .primary');
  }

  answer({ id }: Entry, isRemoved: boolean): void {
    this.#asked = undefined;
    if (isRemoved) this.#outbox.remove(id);
    else void this.#rows.focus(id, '.danger');
  }

  /** For its row in the box or in the thread. @param own buttons of the reader's comment that it stands for */
  parts(shown: ShownEntry, own: readonly RowButton[] = []): EntryParts {
    const { localizer, strings } = this.#host;
    const { account, store: { view } } = this.#box;
    const { entry } = shown;
    return entryParts(shown, {
      tag: localizer.tag, strings: this.strings, problems: localizer.strings('problems', problemStrings, strings),
      actions: this.#actions, name: localizer.strings('core', label, strings).message,
      own, isAsked: entry.id === this.#asked,
      isHere: entry.article === this.place.article && entry.forum === this.#host.forum,
      isSignedIn: !view || account === entry.account,
    }, this);
  }

  onChange(): void {
    this.#host.requestUpdate();
  }

  tell({ entry, row, problem, created }: Report): void {
    const host = this.#host;
    if (created) host.dispatchEvent(new VestibulePostedEvent(created, entry.parent));
    if (problem && entry.state !== 'sending') host.dispatchEvent(new VestibuleErrorEvent(problem));
    const type = problem && typeOf(problem);
    if (type === 'not-signed-in') this.#box.send({ type: 'session-over' });
    if (type === 'user-changed') this.#box.send({ type: 'other-account' });
    // The first answer: the reader presses again, once they have signed in.
    const isOfSession = type === 'not-signed-in' || type === 'user-changed';
    const isHere = isAt(entry, this.place) && entry.parent === undefined;
    if (isOfSession && isHere && entry.attempts === 1 && entry.state === 'failed') return this.edit(entry);
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
    ((this.#host.renderRoot as ShadowRoot).activeElement as HTMLElement | null)?.blur();
    void this.#rows.focus(id, '.say');
  }
}
