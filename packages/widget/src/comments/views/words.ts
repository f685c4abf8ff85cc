/** What the templates of the second stage show beside the view: the settings of the element and its phrases. */

import type { CommentsStrings } from '../../locales/en-comments.ts';
import type { FallbackStrings } from '../../locales/en-fallback.ts';
import type { ProblemStrings } from '../../locales/en-problems.ts';
import type { Localizer } from '../../locales/localizer.ts';
import type { OwnStrings } from '../../locales/own-strings.ts';

/** The element, as far as templates need it. */
export interface BoxContext {
  readonly localizer: Localizer;
  /** Phrases of the page. */
  readonly own: OwnStrings | undefined;
  readonly headingLevel: number;
  readonly forum: string;
  readonly bff: string | null;
  /** URL of the BFF's own page with a comment box. */
  readonly separatePage: string;
  /** The thread shows the reader's own posts. */
  readonly showPosts: boolean;
}

export interface Words extends BoxContext {
  readonly tag: string;
  readonly strings: CommentsStrings;
  readonly problems: ProblemStrings;
  readonly fallback: FallbackStrings;
  /** Says whether the text is kept; empty if there is no text. */
  readonly textIsKept: string;
}
