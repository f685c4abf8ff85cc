/** What the parts of the thread that return to the comment which was read share. Types only: one of them loads after a reload or
 *  Back. */

import type { LitElement } from 'lit';
import type { PostOrder } from '@vestibule/shared';

/** What stood at the top of the viewport when the document was left. */
export interface ReadPlace {
  readonly id: string;
  /** Of its element, in the viewport; in pixels. */
  readonly top: number;
  /** Of the document, in pixels. */
  readonly scrollY: number;
  readonly order: PostOrder;
  /** How many lists were there. */
  readonly lists: number;
}

/** `<vestibule-thread>`, as far as the place needs it. */
export interface PlaceHost extends LitElement {
  readonly forum: string;
  readonly page: string;
  readonly bff: string | null;
  /** Shows the replies among which the comment is. */
  unfoldFor(id: string): void;
}
