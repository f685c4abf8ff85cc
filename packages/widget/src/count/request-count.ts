/** Numbers of comments from the BFF. Those that a document asks for at about the same time share a request. */

import type { endpoints, PostCounts } from '@vestibule/shared';

const path = '/posts/counts' satisfies (typeof endpoints.postCounts)['path'];
const MAX_PAGES = 50;
const MAX_URL_LENGTH = 6 * 1024;
/** Elements of one list may appear one after another, in ms. */
const DELAY_MS = 20;
/** How long a page is not asked for again, in ms: the BFF's own cache lasts as long. */
const FRESH_MS = 60_000;

interface Batch {
  url: string;
  size: number;
  readonly counts: Promise<PostCounts['counts']>;
}

/** Batches that have not left yet, by the URL without pages. */
const open = new Map<string, Batch>();
const asked = new Map<string, Promise<number | null>>();

/** @param bff its base URL, ending in `/` @param page URL without fragment
 *  @returns `null`: the BFF does not have the number, or did not answer */
export function requestCount(bff: URL, forum: string, page: string): Promise<number | null> {
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

function createBatch(start: string): Batch {
  const send = (): Promise<PostCounts['counts']> => {
    open.clear();
    return readCounts(batch.url);
  };
  const counts = new Promise((resolve) => setTimeout(resolve, DELAY_MS)).then(send).catch(() => []);
  const batch = { url: start, size: 0, counts };
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
