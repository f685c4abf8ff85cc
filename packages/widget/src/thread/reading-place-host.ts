/** Types of `reading-place.ts` and `returned-place.ts`, which loads after a reload or Back. */

import type { LitElement } from 'lit';
import type { PostOrder } from '@vestibule/shared';

/** What stood at the top of the viewport when the document was left. */
export interface ReadPlace {
  readonly id: string;
  /** Of its author's name, in the viewport; in pixels. */
  readonly top: number;
  /** Of the document, in pixels. */
  readonly scrollY: number;
  readonly order: PostOrder;
  /** How many lists were there. */
  readonly lists: number;
}

/** `<vestibule-thread>`, as far as the reading place needs it. */
export interface ReadingPlaceHost extends LitElement {
  readonly forum: string;
  readonly page: string;
  readonly bff: string | null;
  /** Shows the replies among which the comment is. */
  unfoldFor(id: string): void;
}
