/** What the parts of the thread that follow a link to a comment share. Types only: the thread loads them with their occasion. */

import type { LitElement } from 'lit';
import type { ListedPost } from '@vestibule/shared';
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

/** A conversation of which the list has nothing. */
export interface LinkedConversation {
  /** The comment that the link names. */
  readonly id: string;
  readonly posts: readonly ListedPost[];
  /** Of the replies before and after these; `undefined`: there are none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Why the comment of a link is not there: it is further down than ten lists, the BFF has none, or it could not be asked. */
export type LinkOutcome = 'further' | 'absent' | 'failed';

/** The links of a thread, as far as `linked-comment.ts` needs them. */
export interface Links {
  /** Id of the comment that a link has led to. */
  readonly marked: string | undefined;
  outcome: LinkOutcome | undefined;
  linked: LinkedConversation | undefined;
  readonly host: LinkHost;
  readonly thread: ThreadController;
  /** Ids of the comments in the linked conversation. */
  readonly ids: ReadonlySet<string>;
  /** Cursors of the replies that follow, by comments of the list; `undefined`: there are none. */
  readonly rest: Map<string, string | undefined>;
  /** Whether replies to a comment of the list may follow those that are loaded. */
  hasRest(id: string): boolean;
  /** The element of a post that the page has rendered itself. */
  findRendered(id: string): HTMLElement | undefined;
}
