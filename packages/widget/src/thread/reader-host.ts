/** What the reader's actions (`actions.ts`) need of the thread that loads them. */

import type { LitElement } from 'lit';
import type { Localizer } from '../locales/localizer.ts';
import type { OwnStrings } from '../locales/own-strings.ts';
import type { DraftKey } from '../storage/draft.ts';
import type { Comment } from './comment-tree.ts';

/** `<vestibule-thread>`, as far as the reader's actions need it. */
export interface ReaderHost extends LitElement {
  readonly forum: string;
  readonly page: string;
  readonly bff: string | null;
  readonly account: string;
  readonly userKey: string | undefined;
  readonly maxLength: number | null;
  readonly strings: OwnStrings | string | undefined;
  readonly localizer: Localizer;
  readonly comments: readonly Comment[];
  /** Id of the comment that the reader replies to. */
  readonly replyingTo: string | undefined;
  /** Says the outcome of an action to screen readers. */
  say(text: string): void;
  /** Requests the list once the BFF has a new one. */
  refreshSoon(): void;
  /** An element of a comment that is displayed. */
  find(key: Comment['key'], selector: string): HTMLElement | undefined;
}

/** The reader of the page, with the keys of what the browser keeps. */
export interface Reader {
  readonly host: ReaderHost;
  /** How old a list may be, in ms. */
  readonly listAgeMs: number;
  readonly recordKey: DraftKey;
  readonly storageKey: string;
}
