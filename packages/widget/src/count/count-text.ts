/** The number of a `<vestibule-count>` and its phrase. All elements of a document share requests. */

import { articleKey, type endpoints, type PostCounts } from '@vestibule/shared';
import { bffAddress } from '../client/address.ts';
import { fetchPublic } from '../client/fetch-public.ts';
import type { Plural } from '../locales/language.ts';
import { languageAround } from '../locales/localizer.ts';
import { candidates } from '../locales/negotiation.ts';
import { parseStrings } from '../locales/own-strings.ts';
import { phrases } from './phrases.ts';
import { parseUrl } from '../lib/parse-url.ts';

const path = '/posts/counts' satisfies (typeof endpoints.postCounts)['path'];
const MAX_PAGES = 10;
const MAX_URL_LENGTH = 6 * 1024;
/** Elements of one list may appear one after another, in ms. */
const DELAY_MS = 20;
/** How long a page is not asked for again, in ms: the BFF's own cache lasts as long. */
const FRESH_MS = 60_000;

/** What `element` shows in place of its content; `undefined`: nothing. */
export async function countText(element: HTMLElement): Promise<HTMLElement | undefined> {
  const [forum, page, bff] = ['forum', 'page', 'bff'].map((name) => element.getAttribute(name));
  const url = page ? parseUrl(page, document.baseURI) : undefined;
  if (!forum || !url) return undefined;
  url.hash = '';
  const base = bffAddress(bff);
  const count = await requestCount(base, forum, url.href);
  if (count === null) return undefined;
  const { tag, lang = tag, phrase } = phraseFor(element);
  // Isolated: its direction is that of its own language.
  const text = Object.assign(document.createElement('bdi'), { lang, textContent: phraseOf(tag, phrase, count) });
  text.part.add('text');
  return text;
}

function phraseOf(tag: string, phrase: Plural, count: number): string {
  const form = phrase[new Intl.PluralRules(tag).select(count)] ?? phrase.other;
  return form.replace('{count}', () => count.toLocaleString(tag));
}

/** `tag`: of the plural forms and the digits; `lang`: of the words. */
function phraseFor(element: HTMLElement): { tag: string; lang?: string; phrase: Plural } {
  const lang = languageAround(element);
  const own = parseStrings(element.getAttribute('strings')) as Partial<Plural> | undefined;
  if (own?.other) return { tag: candidates(lang).at(-1) ?? 'en', lang, phrase: own as Plural };
  const tag = [lang, navigator.languages ?? []].flat().flatMap(candidates).find((name) => phrases[name]) ?? 'en';
  return { tag, phrase: phrases[tag]! };
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
  const key = start + articleKey(page);
  const known = asked.get(key);
  if (known) return known;
  let batch = open.get(start);
  if (!batch || batch.size === MAX_PAGES || batch.url.length + query.length > MAX_URL_LENGTH) {
    batch = createBatch(start);
    open.set(start, batch);
  }
  batch.url += query;
  const index = batch.size++;
  const count = batch.counts.then((counts) => counts[index] ?? null);
  asked.set(key, count);
  setTimeout(() => asked.delete(key), FRESH_MS);
  return count;
}

function createBatch(start: string): Batch {
  const send = (): Promise<PostCounts['counts']> => {
    open.delete(start);
    return readCounts(batch.url);
  };
  const counts = new Promise((resolve) => setTimeout(resolve, DELAY_MS)).then(send).catch(() => []);
  const batch = { url: start, size: 0, counts };
  return batch;
}

let isReported = false;

async function readCounts(url: string): Promise<PostCounts['counts']> {
  const response = await fetchPublic(url);
  if (response.ok) return (await response.json() as PostCounts).counts;
  if (response.status === 404 && !isReported) {
    isReported = true;
    // eslint-disable-next-line no-console -- the page's developers see it nowhere else
    console.error(`Vestibule: the BFF has no hook posts.count, or there is none at ${new URL('..', url).href}`);
  }
  return [];
}
