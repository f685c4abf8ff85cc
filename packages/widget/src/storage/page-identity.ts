/** Identity of the article that a box belongs to (contract, section 1): keys its draft, and is sent with each post. */

/** Matches `name=value`, also after `?`, of parameters that name no other article: those of a callback, of campaigns and of
 *  link decoration. */
const IGNORED = /^\??(?:(?:code|username|user_id|audiencesync_uri|error|success|\w{1,4}clk?id)(?:=|$)|(?:[mu]tm|pk|hsa|mc|gad)_|_hs|_g[al]|srsltid|.braid|igsh)/;

/** The canonical link that was seen last, and the path of the document then. */
let canonical = { href: '', path: '' };

/**
 * The `page` attribute, else `<link rel="canonical">`, else the document's URL without callback and tracking parameters.
 * An address that is no http(s) URL counts as absent. Without fragment and credentials.
 */
export function pageIdentity(page: string | null): string {
  const url = parse(page) ?? canonicalUrl();
  if (url) return url.href;
  const own = new URL(location.href);
  // `searchParams.delete` would write the other parameters in another form.
  own.search = own.search.split('&').filter((part) => !IGNORED.test(part)).join('&');
  return clean(own).href;
}

/** A link that did not change with the path, after `pushState`, belongs to the page before. */
function canonicalUrl(): URL | undefined {
  const url = parse(document.querySelector<HTMLLinkElement>('link[rel~=canonical]')?.getAttribute('href'));
  const { pathname } = location;
  if (url && url.href !== canonical.href) canonical = { href: url.href, path: pathname };
  return url && url.origin === location.origin && canonical.path === pathname ? url : undefined;
}

function parse(address: string | null | undefined): URL | undefined {
  const url = address ? URL.parse(address, document.baseURI) : null;
  return url && /^https?:/.test(url.protocol) ? clean(url) : undefined;
}

function clean(url: URL): URL {
  url.hash = url.username = url.password = '';
  return url;
}
