/** What the parts of the thread that follow a link to a comment share. Types only: the thread loads them with their occasion. */

import type { LitElement } from 'lit';
import type { ThreadStrings } from '../locales/en-thread.ts';
import type { Comment } from './comment-tree.ts';
import type { ThreadController } from './thread-controller.ts';

/** `<vestibule-thread>`, as far as links need it. */
export interface LinkHost extends LitElement {
  readonly page: string;
  readonly threadStrings: ThreadStrings;
  /** Elements of the page's own content. */
  readonly slotted: readonly Element[];
  say(text: string): void;
  /** Shows the replies among which the comment is. */
  unfoldFor(key: Comment['key']): void;
  find(key: Comment['key'], selector: string): HTMLElement | null | undefined;
}

/** Why the comment of a link is not there: it may be further down, the BFF has none, or it could not be asked. */
export type LinkOutcome = 'further' | 'absent' | 'failed';

/** The links of a thread, as far as `linked-comment.ts` needs them. */
export interface Links {
  /** Id of the comment that a link has led to. */
  readonly marked: string | undefined;
  outcome: LinkOutcome | undefined;
  readonly host: LinkHost;
  readonly thread: ThreadController;
  /** The element of a post that the page has rendered itself. */
  findRendered(id: string): HTMLElement | undefined;
}
