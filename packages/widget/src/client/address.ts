/** The BFF's public URL as a page names it: by the `bff` attribute, else by the address of the script (contract, section 1). */

import type { SyncDisplay } from '@vestibule/shared';

/** The base of every request, ending in `/`. A `bff` that is no URL counts as absent. */
export function bffAddress(bff: string | null | undefined): URL {
  const named = bff ? URL.parse(bff, document.baseURI) : null;
  if (!named) return scriptAddress();
  named.search = named.hash = '';
  if (!named.pathname.endsWith('/')) named.pathname += '/';
  return withoutCredentials(named);
}

/** URL that starts the standard variant of the sign-in (`GET /sync/authorize`).
 *  @param returnTo URL that the reader returns to; of a page that opens a window, the server needs the origin only
 *  @param lang of the page; empty: the browser's
 *  @param isPost a text waits for the sign-in */
export function authorizeUrl(
  base: URL, forum: string, returnTo: string, display: SyncDisplay, lang: string, isPost: boolean,
): string {
  const url = withoutCredentials(new URL(returnTo));
  const query = new URLSearchParams({ forum, return_to: display === 'popup' ? `${url.origin}/` : url.href, display, ...(lang && { lang }), ...(isPost && { post: '1' }) });
  return `${new URL('sync/authorize', base).href}?${query}`;
}

/** The folder of `widget.js`, which contains this module. A parameter, because Vite takes `new URL('…', import.meta.url)` for
 *  the address of an asset. */
export function scriptAddress(script: string = import.meta.url): URL {
  return withoutCredentials(new URL('.', script));
}

/** A page may have been opened with a password in its address: `fetch` refuses such URLs, and others must not learn it. */
export function withoutCredentials(url: URL): URL {
  url.username = url.password = '';
  return url;
}
