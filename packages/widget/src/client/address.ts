/** The BFF's public URL as a page names it: by the `bff` attribute, else by the address of the script (contract, section 1). */

import { parseUrl } from '../lib/parse-url.ts';

/** The base of every request, ending in `/`. A `bff` that is no URL counts as absent. */
export function bffAddress(bff: string | null | undefined): URL {
  const named = bff ? parseUrl(bff, document.baseURI) : undefined;
  if (!named) return scriptAddress();
  named.search = named.hash = '';
  if (!named.pathname.endsWith('/')) named.pathname += '/';
  return withoutCredentials(named);
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
