/** `<vestibule-count>`: a number of comments. Without Lit, so that lists of articles load little. */

import { CountElement } from './count-element.ts';
import { countText } from './count-text.ts';

/**
 * The number of comments of an article, such as “12 comments”: for lists of articles. All elements of a document share requests.
 * Where there is no number, the element shows its content; it may be empty. A part that does not load is requested again when
 * the browser is online.
 *
 * @tagname vestibule-count
 *
 * @attr {string} forum - Short name of the forum.
 * @attr {string} page - URL of the article; a relative one counts from the document's base.
 * @attr {string} bff - Address of the BFF; default: the script's own.
 * @attr {string} lang - BCP 47 tag. Default: the nearest `lang` of the page, then the browser's languages, then English.
 * @attr {string} strings - JSON: the page's own phrase by plural category, such as
 *   `{"one": "{count} reply", "other": "{count} replies"}`; the number alone is `{"other": "{count}"}`.
 *
 * @slot - Shown until the number is known, and where there is none.
 *
 * @csspart text - The phrase with the number.
 */
export class VestibuleCount extends CountElement {
  /** @internal */
  override text(): Promise<HTMLElement | undefined> {
    return countText(this);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-count': VestibuleCount;
  }
}
