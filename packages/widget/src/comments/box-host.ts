/** The parts of the comment box, as each needs the others. Types only. */

import type { LitElement } from 'lit';
import type { WidgetProblem } from '../client/problem.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { Draft } from '../storage/draft.ts';
import type { PressRecord } from '../storage/storage.ts';
import type { Localizer } from '../locales/localizer.ts';
import type { OwnStrings } from '../locales/own-strings.ts';
import type { ArticleHost } from './article.ts';
import type { Announcer } from './announcer.ts';
import type { BoxEvent, BoxState } from './comments-state.ts';

export interface BoxParts {
  /** Main button: the key of a phrase of `core`, or a phrase. */
  readonly primary: 'post' | 'signIn' | 'signInAndPost' | (string & {});
  readonly isPrimaryHidden: boolean;
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

/** `box.ts`, as far as its parts need it. */
export interface CommentsHost extends ArticleHost, Pick<LitElement, 'renderRoot' | 'updateComplete' | 'isConnected' | 'dispatchEvent'> {
  readonly element: LitElement;
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
  /** Shows the text in the field. */
  show(text: string): void;
  /** Gives the field the height of a text that is shown once the session is known. */
  reserve(text: string): void;
  focus(): void;
}

/** `comments-controller.ts`, as far as the other parts need it. */
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
