/** Identity of the article that a box belongs to (contract, section 1): keys its draft, and is sent with each post. */

/** Matches `name=value`, also after `?`, of parameters that name no other article: those of a callback, of campaigns and of
 *  link decoration. */
const IGNORED = /^\??(?:(?:code|username|user_id|audiencesync_uri|error|success|\w{1,4}clk?id)(?:=|$)|(?:[mu]tm|pk|hsa|mc|gad)_|_hs|_g[al]|srsltid|.braid|igsh)/;

/**
 * The `page` attribute, else `<link rel="canonical">`, else the document's URL without callback and tracking parameters.
 * An address that is no http(s) URL counts as absent. Without fragment and credentials.
 */
export function pageIdentity(page: string | null): string {
  const url = parse(page) ?? parse(document.querySelector<HTMLLinkElement>('link[rel~=canonical]')?.getAttribute('href'));
  if (url) return url.href;
  const own = new URL(location.href);
  // `searchParams.delete` would write the other parameters in another form.
  own.search = own.search.split('&').filter((part) => !IGNORED.test(part)).join('&');
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
