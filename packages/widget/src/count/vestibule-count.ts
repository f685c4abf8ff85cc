/** `<vestibule-count>`: a number of comments. Without Lit, so that lists of articles load little. */

import { bffAddress } from '../client/address.ts';
import type { Plural } from '../locales/language.ts';
import { languageAround } from '../locales/localizer.ts';
import { candidates } from '../locales/negotiation.ts';
import { parseStrings } from '../locales/own-strings.ts';
import { plural } from '../locales/phrase.ts';
import { phrases } from './phrases.ts';
import { requestCount } from './request-count.ts';

/**
 * The number of comments of an article, such as “12 comments”: for lists of articles. All elements of a document share requests.
 * Where there is no number, the element shows its content; it may be empty.
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
export class VestibuleCount extends HTMLElement {
  static readonly observedAttributes = ['forum', 'page', 'bff', 'lang', 'strings'];
  #latest: object | undefined;

  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).append(document.createElement('slot'));
  }

  connectedCallback(): void {
    void this.#update();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) void this.#update();
  }

  /** The last one wins. */
  async #update(): Promise<void> {
    const update = this.#latest = {};
    const count = await this.#count();
    if (update === this.#latest) this.shadowRoot!.replaceChildren(count === null ? document.createElement('slot') : this.#text(count));
  }

  async #count(): Promise<number | null> {
    const [forum, page, bff] = ['forum', 'page', 'bff'].map((name) => this.getAttribute(name));
    if (!forum || !page || !URL.canParse(page, document.baseURI)) return null;
    const url = new URL(page, document.baseURI);
    url.hash = '';
    return requestCount(bffAddress(bff), forum, url.href);
  }

  /** Isolated: its direction is that of its own language. */
  #text(count: number): HTMLElement {
    const { tag, lang = tag, phrase } = this.#phrase();
    const text = Object.assign(document.createElement('bdi'), { lang, textContent: plural(tag, phrase, count) });
    text.part.add('text');
    return text;
  }

  /** `tag`: of the plural forms and the digits; `lang`: of the words. */
  #phrase(): { tag: string; lang?: string; phrase: Plural } {
    const lang = languageAround(this);
    const own = parseStrings(this.getAttribute('strings')) as Partial<Plural> | undefined;
    if (own?.other) return { tag: candidates(lang).at(-1) ?? 'en', lang, phrase: own as Plural };
    const tag = [lang, ...navigator.languages].flatMap(candidates).find((name) => phrases[name]) ?? 'en';
    return { tag, phrase: phrases[tag]! };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-count': VestibuleCount;
  }
}
