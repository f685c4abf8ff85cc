/** `<vestibule-count>`: a number of comments. Without Lit, so that lists of articles load little. */

import type { endpoints, PostCounts } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import type { Plural } from '../locales/language.ts';
import { languageAround } from '../locales/localizer.ts';
import { candidates } from '../locales/negotiation.ts';
import { parseStrings } from '../locales/own-strings.ts';
import { plural } from '../locales/phrase.ts';
import { phrases } from './phrases.ts';

const path = '/posts/counts' satisfies (typeof endpoints.postCounts)['path'];
const MAX_PAGES = 50;
const MAX_URL_LENGTH = 6 * 1024;
/** Elements of one list may appear one after another, in ms. */
const DELAY_MS = 20;
/** How long a page is not asked for again, in ms: the BFF's own cache lasts as long. */
const FRESH_MS = 60_000;

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
    const url = page ? URL.parse(page, document.baseURI) : null;
    if (!forum || !url) return null;
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

interface Batch {
  url: string;
  size: number;
  readonly counts: Promise<PostCounts['counts']>;
}

/** Batches that have not left yet, by the URL without pages. */
const open = new Map<string, Batch>();
const asked = new Map<string, Promise<number | null>>();

/** Numbers that a document asks for at about the same time share a request.
 *  @param page URL without fragment
 *  @returns `null`: the BFF does not have the number, or did not answer */
function requestCount(bff: URL, forum: string, page: string): Promise<number | null> {
  const start = `${new URL(path.slice(1), bff).href}?${new URLSearchParams({ forum })}`;
  const query = `&${new URLSearchParams({ page })}`;
  const known = asked.get(start + query);
  if (known) return known;
  let batch = open.get(start);
  if (!batch || batch.size === MAX_PAGES || batch.url.length + query.length > MAX_URL_LENGTH) {
    batch = createBatch(start);
    open.set(start, batch);
  }
  batch.url += query;
  const index = batch.size++;
  const count = batch.counts.then((counts) => counts[index] ?? null);
  asked.set(start + query, count);
  setTimeout(() => asked.delete(start + query), FRESH_MS);
  return count;
}

function createBatch(url: string): Batch {
  const send = (): Promise<PostCounts['counts']> => {
    open.clear();
    return readCounts(batch.url);
  };
  const counts = new Promise((resolve) => setTimeout(resolve, DELAY_MS)).then(send).catch(() => []);
  const batch = { url, size: 0, counts };
  return batch;
}

let isReported = false;

async function readCounts(url: string): Promise<PostCounts['counts']> {
  const response = await fetch(url, { credentials: 'omit' });
  if (response.ok) return (await response.json() as PostCounts).counts;
  if (response.status === 404 && !isReported) {
    isReported = true;
    // eslint-disable-next-line no-console -- the page's developers see it nowhere else
    console.error(`Vestibule: the BFF has no hook posts.count, or there is none at ${new URL('..', url).href}`);
  }
  return [];
}

declare global {
  interface HTMLElementTagNameMap {
    'vestibule-count': VestibuleCount;
  }
}
