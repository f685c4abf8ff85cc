/** Identity of the article that a box belongs to (contract, section 1): keys its draft, and is sent with each post. */

import { parseUrl } from '../lib/parse-url.ts';

/** Parameters of campaigns, of newsletters and of link decoration, which name no other article. */
const TRACKING = `fbclid gclid gclsrc dclid gbraid wbraid msclkid twclid ttclid yclid ysclid igsh igshid srsltid li_fat_id ScCid epik
 gad_source gad_campaignid _ga _gl _ke _kx _hsenc _hsmi __hssc __hstc __hsfp hsCtaTracking mc_cid mc_eid mkt_tok dm_i _openstat
 pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content pk_cid ef_id s_kwcid mkevt mkcid mkrid spm cmpid wickedid
 irclickid irgwc vero_id vero_conv oly_enc_id oly_anon_id _bta_tid _bta_c rb_clickid _branch_match_id _branch_referrer`.split(/\s+/);
const TRACKING_PREFIXES = ['utm_', 'mtm_', 'matomo_', 'piwik_', 'hsa_', 'tw_', 'fb_action_', 'trk_', 'guce_', 'sms_', 'ml_subscriber'];

/** Parameters of a callback. One alone may be the page's own. */
const CALLBACK = ['code', 'username', 'user_id', 'audiencesync_uri'];

/** The canonical link that was seen last, and the path of the document then. */
let canonical = { href: '', path: '' };

/**
 * The `page` attribute, else `<link rel="canonical">`, else the document's URL without callback and tracking parameters.
 * An address that is no http(s) URL counts as absent. Without fragment and credentials.
 */
export function pageIdentity(page: string | null): string {
  return (parse(page) ?? canonicalUrl() ?? ownUrl()).href;
}

function ownUrl(): URL {
  const url = new URL(location.href);
  const isCallback = CALLBACK.every((name) => url.searchParams.has(name));
  const isIgnored = (name: string): boolean => TRACKING.includes(name) || TRACKING_PREFIXES.some((prefix) => name.startsWith(prefix))
    || (isCallback && CALLBACK.includes(name));
  // `searchParams.delete` would write the other parameters in another form.
  url.search = url.search.slice(1).split('&').filter((pair) => !isIgnored(pair.split('=', 1)[0]!)).join('&');
  return clean(url);
}

/** A link that did not change with the path, after `pushState`, belongs to the page before. */
function canonicalUrl(): URL | undefined {
  const url = parse(document.querySelector<HTMLLinkElement>('link[rel~=canonical]')?.getAttribute('href'));
  if (!url) return undefined;
  const { origin, pathname } = location;
  const isOwn = url.origin === origin;
  if (url.href !== canonical.href) {
    canonical = { href: url.href, path: pathname };
    if (!isOwn) import('../client/hints.ts').then(({ reportMistake }) => reportMistake('canonical-elsewhere', { canonical: url.href }), () => {});
  }
  return isOwn && canonical.path === pathname ? url : undefined;
}

function parse(address: string | null | undefined): URL | undefined {
  const url = address ? parseUrl(address, document.baseURI) : null;
  return url && /^https?:/.test(url.protocol) ? clean(url) : undefined;
}

function clean(url: URL): URL {
  url.hash = url.username = url.password = '';
  return url;
}
