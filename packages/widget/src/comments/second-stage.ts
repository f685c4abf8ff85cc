/** The two stages of the comment box, as each needs the other. Types only: the first stage loads no code of the second. */

import type { LitElement, ReactiveController } from 'lit';
import type { SyncCallback } from '../session/callback.ts';
import type { Draft } from '../storage/draft.ts';
import type { OwnPost } from '../storage/reader-records.ts';
import type { Localizer } from '../locales/localizer.ts';
import type { OwnStrings } from '../locales/own-strings.ts';

/** The second stage, as far as the first one needs it. */
export interface SecondStage extends ReactiveController {
  /** Requests the session, unless it is known. */
  start(): void;
  /** Posts `text`, which the field contained when the reader submitted. */
  submit(text: string): void;
  /** @param opened the window that the press has opened; `null`: the browser blocked it; `undefined`: the press opened none */
  signIn(opened?: Window | null): void;
  signOut(): Promise<void>;
  /** The reader has changed the text. */
  onEdit(): void;
  /** The element belongs to another page, forum or BFF. @param isMoved whether the text has moved along */
  onDraftChange(isMoved: boolean): void;
  render(): SecondStageParts;
}

export interface SecondStageParts {
  readonly account: unknown;
  /** Label of the main button, or the key of one of the first stage. */
  readonly primary: { readonly label: string } | 'post' | 'signIn';
  readonly status: unknown;
  /** Beside the status: controls and the counter. */
  readonly footer: unknown;
  readonly alert: unknown;
  /** Below the box. */
  readonly more: unknown;
}

/** `<vestibule-comments>`, as far as the second stage needs it. */
export interface CommentsHost extends LitElement {
  readonly forum: string;
  readonly sync: 'popup' | 'inline';
  readonly bff: string | null;
  readonly maxLength: number | null;
  readonly headingLevel: number;
  readonly showPosts: boolean;
  readonly strings: OwnStrings | undefined;
  readonly localizer: Localizer;
  readonly draft: Draft;
  /** The text field. */
  readonly field: HTMLTextAreaElement;
  /** The reader's own recent posts on the page, oldest first. */
  ownPosts: readonly OwnPost[] | undefined;
  /** The callback that the page's address carried, until the reader has decided. */
  callback: SyncCallback | undefined;
  /** Shows the draft of `account` for the page, forum and BFF of this element. */
  openDraft(account?: string): void;
  showDraft(): void;
  /** Shows the draft of another page, forum or BFF, if one of them has changed. */
  followPage(): void;
}
