/** Identity of the article that a box belongs to (contract, section 1): keys its draft, and is sent with each post. */

import { parseUrl } from '../lib/parse-url.ts';

/** Parameters of campaigns, of newsletters and of link decoration, which name no other article. */
const TRACKING = ('fbclid gclid dclid yclid ysclid twclid ttclid msclkid gclsrc gbraid wbraid srsltid igsh igshid li_fat_id epik ScCid '
  + 'gad_source gad_campaignid _ga _gl _ke _kx _hsenc _hsmi __hssc __hstc __hsfp mc_cid mc_eid mkt_tok mkevt dm_i spm cmpid irclickid '
  + 's_kwcid ef_id pk_campaign pk_kwd pk_keyword pk_source pk_medium vero_id oly_enc_id _openstat').split(' ');
const TRACKING_PREFIXES = ['utm_', 'mtm_', 'matomo_', 'piwik_', 'hsa_', 'tw_', 'fb_action_', '_branch_'];

/** Parameters of a callback. One alone may be the page's own. */
const CALLBACK = ['code', 'username', 'user_id', 'audiencesync_uri'];

/** Longest address to which the BFF leads back, in characters. */
const RETURN_TO_MAX_LENGTH = 1_500;

/** The canonical link that was seen last, and the path of the document then. */
let canonical = { href: '', path: '' };

/**
 * The `page` attribute, else `<link rel="canonical">`, else the document's URL without callback and tracking parameters.
 * An address that is no http(s) URL counts as absent. Without fragment and credentials.
 */
export function pageIdentity(page: string | null): string {
  return parse(page)?.href ?? canonicalUrl()?.href ?? addressOfArticle(location.href);
}

/** Without fragment, and without parameters that name no other article. */
function addressOfArticle(address: string): string {
  const url = new URL(address);
  const isCallback = CALLBACK.every((name) => url.searchParams.has(name));
  const isIgnored = (name: string): boolean => TRACKING.includes(name) || (isCallback && CALLBACK.includes(name))
    || TRACKING_PREFIXES.some((prefix) => name.startsWith(prefix));
  // `searchParams.delete` would write the other parameters in another form.
  url.search = url.search.slice(1).split('&').filter((pair) => !isIgnored(pair.split('=', 1)[0]!)).join('&');
  return clean(url).href;
}

/** Where the BFF leads back to after a sign-in in this page; `undefined`: the address is too long. */
export function returnAddress(): string | undefined {
  const address = addressOfArticle(location.href) + location.hash;
  return address.length <= RETURN_TO_MAX_LENGTH ? address : undefined;
}

/** A link that did not change with the path, after `pushState`, belongs to the page before, unless it leads to the new path: a
 *  router may have set it first. */
function canonicalUrl(): URL | undefined {
  const url = parse(document.querySelector<HTMLLinkElement>('link[rel~=canonical]')?.getAttribute('href'));
  if (!url) return undefined;
  const { origin, pathname } = location;
  if (url.href !== canonical.href) canonical = { href: url.href, path: pathname };
  return url.origin === origin && [canonical.path, url.pathname].includes(pathname) ? url : undefined;
}

function parse(address: string | null | undefined): URL | undefined {
  const url = address ? parseUrl(address, document.baseURI) : undefined;
  return url && /^https?:/.test(url.protocol) ? clean(url) : undefined;
}

function clean(url: URL): URL {
  url.hash = url.username = url.password = '';
  return url;
}
