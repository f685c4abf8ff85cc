/**
 * Mistakes in how a page embeds the widget, and in what stands between the page and the BFF: one console message each for the
 * page's developers. Loaded after a failure only. Imports nothing of the first stage, which may be what failed.
 */

import type { Endpoint } from '@vestibule/shared';
import type { WidgetProblem } from './problem.ts';

/** Values in a message. */
interface Facts {
  /** Base address of the BFF. */
  readonly bff: string;
  /** Origin of the page: `null` in a sandboxed frame. */
  readonly origin: string;
  readonly forum: string;
  /** Address of the article, as the attribute `page` names it. */
  readonly page: string;
  /** Address of the canonical link. */
  readonly canonical: string;
  readonly status: number;
}

/** The fix of each mistake. Each key is an anchor of the page "Troubleshooting" of the documentation. */
export const integrationMistakes = {
  'origin-not-allowed': ({ bff, origin }: Facts) => {
    const own = new URL(bff).origin;
    if (origin === 'null') {
      return `The BFF at ${bff} does not accept requests of this page, which is in a sandboxed frame: its origin is null. Add `
        + 'allow-same-origin to the attribute sandbox.';
    }
    if (origin === own) {
      return `The BFF at ${bff} does not accept requests of its own origin. Set VESTIBULE_PUBLIC_URL to the address that browsers use, `
        + 'scheme and port included. If it is set so, a proxy removes the header Origin: let it pass.';
    }
    return `The BFF at ${bff} does not accept requests of ${origin}, or there is no BFF. Add this origin to VESTIBULE_ALLOWED_ORIGINS, or `
      + 'serve the page and widget.js from one host: www and the apex domain are two origins. If the browser reports a Content Security '
      + `Policy, add ${own} to its connect-src.${isFetchReplaced() ? ' If it reports a request header, the script of this page that '
      + 'replaces fetch adds it: a proxy must let OPTIONS pass to the BFF, which allows all headers.' : ''}`;
  },
  'page-not-allowed': ({ bff, page }: Facts) => (
    `The BFF at ${bff} takes no comments for ${new URL(page).origin}, which the attribute page names. Correct the attribute (a `
    + 'relative address counts from the document\'s <base>), or add this origin to VESTIBULE_ALLOWED_ORIGINS.'
  ),
  'page-fragment': ({ page }: Facts) => (
    `A fragment names no article: the comments of ${page} are those of the address without it. Give each article an address of its own.`
  ),
  'bff-not-found': ({ bff }: Facts) => (
    `There is no BFF at ${bff}. Correct the attribute bff, or the address of widget.js if there is none: both must lead to `
    + 'VESTIBULE_PUBLIC_URL.'
  ),
  'trailing-slash': ({ bff }: Facts) => (
    `A proxy redirects requests to the BFF at ${bff}. Let it pass them on instead. With trailingSlash of Next.js, set `
    + 'skipTrailingSlashRedirect. If it leads to a sign-in of the proxy, that has ended: reload the page.'
  ),
  'sign-in-proxy': ({ bff, status }: Facts) => (
    `A proxy asks for a sign-in of its own before the BFF at ${bff} (status ${status}). Serve the page and the BFF from one origin behind `
    + 'it, or exclude the path of the BFF.'
  ),
  'responses-replaced': ({ bff, status }: Facts) => (
    `A response with status ${status} is not that of the BFF at ${bff}: the BFF does not run, or a proxy replaces its responses. Let the `
    + 'proxy pass them on: without proxy_intercept_errors (nginx) or ErrorDocument (Apache) for these addresses.'
  ),
  firewall: ({ bff }: Facts) => (
    `A firewall refuses a request to the BFF at ${bff} with status 403. Exclude its paths from the rules, or allow PUT, PATCH, `
    + 'DELETE and the parameters page, message, answers, return_to and audiencesync_uri.'
  ),
  'service-worker': ({ bff }: Facts) => (
    `A service worker of this site answers in place of the BFF at ${bff}, with a page of the site or an old response. Let all requests `
    + 'below this path pass in the worker: navigations (navigateFallbackDenylist of Workbox) and others.'
  ),
  'trusted-types': ({ bff }: Facts) => (
    `The Content-Security-Policy of this page does not allow the Trusted Types policy of the widget from ${bff}. Add lit-html to `
    + "trusted-types, with 'allow-duplicates' if the page has another copy of Lit."
  ),
  'bff-on-another-site': ({ bff, origin }: Facts) => (
    `The sign-in succeeded, but the browser does not send the cookie of ${bff} from ${origin}. If these hosts belong to two domains that `
    + 'are registered separately, serve the BFF from the domain of this page. If they belong to one, the page is in a frame of another '
    + 'site, or the reader blocks cookies.'
  ),
  'cookies-blocked': ({ bff, origin }: Facts) => (
    `The sign-in succeeded, but the browser does not send the cookie of ${bff} from ${origin}. The page is in a frame of another site, or `
    + 'the reader blocks cookies.'
  ),
  'unknown-forum': ({ bff, forum }: Facts) => (
    `The BFF at ${bff} does not know the forum${forum && ` "${forum}"`}. Correct the attribute forum, or add the forum to VESTIBULE_FORUMS.`
  ),
  'forum-unknown-to-service': ({ bff }: Facts) => (
    `The comment service ended a sign-in of ${bff} with an error, not by the reader's decision. Correct VESTIBULE_FORUMS or `
    + 'VESTIBULE_REDIRECT_URI.'
  ),
  'no-posts-list': ({ bff }: Facts) => (
    `The attribute show-posts is set, but the BFF at ${bff} has no hook posts.list. Add the hook or remove the attribute.`
  ),
  'canonical-elsewhere': ({ canonical, origin }: Facts) => (
    `The canonical link of this page, ${canonical}, is of another origin than ${origin}, so the comments belong to the address of the `
    + 'page. Set the attribute page if they belong to another one.'
  ),
} as const satisfies Record<string, (facts: Facts) => string>;

/** Mistakes after which the box works. */
const warnings: readonly string[] = ['canonical-elsewhere', 'page-fragment'];

/** A script of the page, such as an agent that traces requests, stands in for the browser's own. */
function isFetchReplaced(): boolean {
  return !Function.prototype.toString.call(fetch).includes('[native code]');
}

export type IntegrationMistake = keyof typeof integrationMistakes;

const reported = new Set<IntegrationMistake>();

/** Once on a page. */
export function reportMistake(mistake: IntegrationMistake, facts: Partial<Facts>): void {
  if (reported.has(mistake)) return;
  reported.add(mistake);
  const text = integrationMistakes[mistake]({
    bff: '', origin: globalThis.origin, forum: '', page: '', canonical: '', status: 0, ...facts,
  });
  // eslint-disable-next-line no-console -- the page's developers see it nowhere else
  console[warnings.includes(mistake) ? 'warn' : 'error'](`Vestibule: ${text} (${mistake})`);
}

/** After a sign-in whose session does not reach the page. */
export function reportMissingCookie(base: URL): void {
  const isOfWorker = base.origin === globalThis.origin && navigator.serviceWorker?.controller;
  const mistake = isOfWorker ? 'service-worker' : base.hostname === location.hostname ? 'cookies-blocked' : 'bff-on-another-site';
  reportMistake(mistake, { bff: base.href });
}

/** Reports the mistake behind a failed request, if there is one.
 *  @param request `foreign`: a response that is not the BFF's */
export function reportFailure(problem: WidgetProblem, { base, endpoint, forum = '', page, foreign }: {
  readonly base: URL;
  readonly endpoint: Endpoint;
  readonly forum: string | undefined;
  readonly page: string | undefined;
  readonly foreign: Response | undefined;
}): void {
  const mistake = foreign ? mistakeOfForeign(foreign) : mistakeOf(problem, endpoint, page);
  if (mistake) reportMistake(mistake, { bff: base.href, forum, page: page ?? '', status: problem.status });
}

function mistakeOfForeign({ ok, status, type }: Response): IntegrationMistake {
  if (type === 'opaqueredirect') return 'trailing-slash';
  if (ok || [404, 405, 410].includes(status)) return 'bff-not-found';
  if (status === 401) return 'sign-in-proxy';
  return status === 403 ? 'firewall' : 'responses-replaced';
}

function mistakeOf(
  { type }: WidgetProblem, { method, path }: Endpoint, page: string | undefined,
): IntegrationMistake | undefined {
  const isList = method === 'GET' && path === '/posts';
  switch (type) {
    case 'urn:vestibule:forum-not-allowed': return 'unknown-forum';
    // `network`: without an answer, from another origin.
    case 'urn:vestibule:network':
    case 'urn:vestibule:cross-site-request':
    case 'urn:vestibule:untrusted-return-uri': return 'origin-not-allowed';
    // The article is not on an allowed origin.
    case 'urn:vestibule:invalid-request':
      if (page && new URL(page).origin !== globalThis.origin) return 'page-not-allowed';
      return isList ? 'origin-not-allowed' : undefined;
    case 'urn:vestibule:not-found': return path === '/session' ? 'bff-not-found' : undefined;
    default: return undefined;
  }
}
