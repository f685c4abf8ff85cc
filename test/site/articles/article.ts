/** An article of the paper. */

import type { Html } from '../../service/html.ts';

export interface Article {
  /** Last segment of its address. */
  readonly slug: string;
  readonly section: string;
  readonly title: string;
  readonly standfirst: string;
  readonly author: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly minutesToRead: number;
  readonly illustration: Html;
  readonly caption: string;
  readonly body: Html;
}
