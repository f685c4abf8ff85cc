/** Requests of a reader's browser to the BFF, its windows included. */

import type { BrowserContext } from 'playwright-core';

export interface BffRequests {
  /** Requests for the widget's files, in order: method and path below the BFF's URL. */
  readonly files: readonly string[];
  /** All others. */
  readonly others: readonly string[];
  /** Of responses with their headers, as transferred. */
  readonly bytes: number;
}

/** Counts until the returned function is called; it resolves once the sizes are known. */
export function countBffRequests(context: BrowserContext): () => Promise<BffRequests> {
  const files: string[] = [];
  const others: string[] = [];
  const sizes: Promise<number>[] = [];
  context.on('requestfinished', (request) => {
    const [, path] = /^\/vestibule(\/.*)$/.exec(new URL(request.url()).pathname) ?? [];
    if (path === undefined) return;
    (/^\/(?:widget\.js|assets\/)/.test(path) ? files : others).push(`${request.method()} ${path}`);
    // A window that closes takes the sizes of its requests along.
    sizes.push(request.sizes().then((size) => size.responseHeadersSize + size.responseBodySize, () => 0));
  });
  return async () => ({ files, others, bytes: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) });
}
