/** Shape of a language: what its module exports. */

import type { ActionStrings } from './en-actions.ts';
import type { CoreStrings } from './en.ts';
import type { CommentsStrings } from './en-comments.ts';
import type { EntryStrings } from './en-entries.ts';
import type { ProblemStrings } from './en-problems.ts';
import type { SyncStrings } from './en-sync.ts';
import type { ThreadStrings } from './en-thread.ts';

/** Forms of a phrase by the plural category of its number; `other` stands in for a form that is missing. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** The English strings `S` in another language: the same keys, plural forms as the language has them. */
type Translated<S> = S extends string ? string
  : S extends { readonly other: string } ? Plural
    : { readonly [Key in keyof S]: Translated<S[Key]> };

/** `en.ts` and `en-*.ts` say for each phrase where it appears. */
export interface Language {
  /** Default: left to right. */
  readonly direction?: 'rtl';
  /** The comment box before its second stage has loaded. */
  readonly core: Translated<CoreStrings>;
  /** The comment box from its second stage on. */
  readonly comments: Translated<CommentsStrings>;
  /** The comments that the reader has sent. */
  readonly entries: Translated<EntryStrings>;
  /** The problems of the BFF. */
  readonly problems: Translated<ProblemStrings>;
  /** `<vestibule-sync>`. */
  readonly sync: Translated<SyncStrings>;
  /** The thread. */
  readonly thread: Translated<ThreadStrings>;
  /** The reader's own comments in the thread. */
  readonly actions: Translated<ActionStrings>;
}
