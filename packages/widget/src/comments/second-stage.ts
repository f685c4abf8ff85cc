/** The two stages of the comment box, as each needs the other. Types only: the first stage loads no code of the second. */

import type { ListedPost } from '@vestibule/shared';
import type { ReactiveController } from 'lit';
import type { WidgetProblem } from '../client/problem.ts';
import type { SyncCallback } from '../session/callback.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { Draft } from '../storage/draft.ts';
import type { TypedText } from '../storage/typed.ts';
import type { ShownEntry } from '../writing/outbox.ts';
import type { PressRecord } from '../storage/storage.ts';
import type { Localizer } from '../locales/localizer.ts';
import type { OwnStrings } from '../locales/own-strings.ts';
import type { ArticleHost } from './article.ts';
import type { Announcer } from './announcer.ts';
import type { BoxEvent, BoxState } from './comments-state.ts';
import type { RowButton } from '../lib/row-menu.ts';
import type { EntryParts } from './entry-view.ts';

/** The second stage, as far as the first one needs it. */
export interface SecondStage extends ReactiveController {
  /** Account that is signed in; empty without one. */
  readonly account: string;
  /** Stands for that account in lists. */
  readonly userKey: string | undefined;
  /** Requests the session, unless it is known. */
  start(): void;
  /** Requests the session again: a response says that it is another one. */
  refresh(): void;
  /** The main button, or its key. @param opened the window that the press has opened; `null`: the browser blocked it */
  press(text: string, opened?: Window | null): void;
  /** @param opened as of `press` */
  signIn(opened?: Window | null): void;
  signOut(): Promise<void>;
  /** The reader has changed the text. */
  onEdit(): void;
  /** The entries of the outbox to show here, the newest press of this visit first. */
  readonly shown: readonly ShownEntry[];
  /** `own`: buttons of the reader's comment that the entry stands for. */
  readonly entryParts: (entry: ShownEntry, own?: readonly RowButton[]) => EntryParts;
  /** Name of their list. */
  readonly entriesName: string;
  /** A list of the article has been read. */
  seeList(posts: readonly ListedPost[]): void;
  render(): SecondStageParts;
}

export interface SecondStageParts {
  /** Main button: the key of a phrase of the first stage, or a phrase of the second. */
  readonly primary: 'post' | 'signIn' | 'signInAndPost' | (string & {});
  readonly isPrimaryHidden: boolean;
  readonly isBusy: boolean;
  readonly isInvalid: boolean;
  readonly tone: string;
  readonly status: string;
  /** Beside the status: the account, quiet buttons, the counter. */
  readonly line: unknown;
  /** In place of the row. */
  readonly question: unknown;
  /** With its element, which is inserted with its text. */
  readonly alert: unknown;
  /** Below the box. */
  readonly more: unknown;
}

/** `<vestibule-comments>`, as far as the second stage needs it. */
export interface CommentsHost extends ArticleHost {
  readonly forum: string;
  readonly sync: 'popup' | 'inline';
  readonly bff: string | null;
  readonly maxLength: number | null;
  readonly headingLevel: number;
  /** The thread is in the document, and shows the entries. */
  readonly hasThread: boolean;
  readonly strings: OwnStrings | string | undefined;
  readonly localizer: Localizer;
  draft: Draft;
  readonly prefill: string;
  /** The reader writes the text that is in the field: it was not only restored. */
  isWriting: boolean;
  /** The field has its full height and its row, also without a text. */
  isOpen: boolean;
  /** The text field. */
  readonly field: HTMLTextAreaElement;
  /** Id of the comment that a reply belongs to; empty for a comment of the article. */
  readonly parent: string;
  readonly internals: ElementInternals;
  /** Author of that comment. */
  readonly replyTo: string;
  /** The callback that the page's address carried, until the reader has decided. */
  callback: SyncCallback | undefined;
  /** What was typed before the second stage was there. */
  readonly typed: TypedText;
  /** Shows the text in the field. */
  show(text: string): void;
}

/** The second stage, as far as its own parts need it. */
export interface Box {
  readonly state: BoxState;
  readonly store: SessionStore;
  readonly announcer: Announcer;
  /** Account that is signed in; empty without one. */
  readonly account: string;
  readonly drafts: {
    /** Shows the present draft in the field. */
    show(): void;
    /** Takes over what another tab has stored. */
    follow(): void;
  };
  send(event: BoxEvent): void;
  /** The element belongs to another article or forum. @param isRenamed the same article has another name */
  onArticleChange(change: { readonly isRenamed: boolean }): void;
  report(problem: WidgetProblem): void;
  /** The window that this page has opened says that the reader has signed in. */
  onWindowFinished(): void;
  /** A press that posts once its reader has signed in. */
  readonly pressed: PressRecord | undefined;
}
