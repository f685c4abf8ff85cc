/** Identity of the article that a box belongs to (contract, section 1): keys its draft, and is sent with each post. */

/** Parameters that name no other article: those of a callback, of campaigns and of link decoration. */
const IGNORED = /^(?:(?:code|username|user_id|audiencesync_uri|error|success|_g[al]|srsltid|[a-z]{1,4}clid|[gw]braid)$|(?:utm|mtm|pk|hsa|mc)_|_hs|igsh)/;

/**
 * The `page` attribute, else `<link rel="canonical">`, else the document's URL without callback and tracking parameters.
 * An address that is no http(s) URL counts as absent. Without fragment and credentials.
 */
export function pageIdentity(page: string | null): string {
  const url = parse(page) ?? parse(document.querySelector<HTMLLinkElement>('link[rel~=canonical]')?.getAttribute('href'));
  if (url) return url.href;
  const own = new URL(location.href);
  for (const name of [...own.searchParams.keys()]) {
    if (IGNORED.test(name)) own.searchParams.delete(name);
  }
  return clean(own).href;
}

function parse(address: string | null | undefined): URL | undefined {
  const url = address ? URL.parse(address, document.baseURI) : null;
  return url && /^https?:/.test(url.protocol) ? clean(url) : undefined;
}

function clean(url: URL): URL {
  url.hash = url.username = url.password = '';
  return url;
}
