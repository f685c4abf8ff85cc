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
  /** Origin of the page. */
  readonly origin: string;
  readonly forum: string;
  /** Address of the canonical link. */
  readonly canonical: string;
  readonly status: number;
}

/** The fix of each mistake. Each key is an anchor of the page "Troubleshooting" of the documentation. */
export const integrationMistakes = {
  'origin-not-allowed': ({ bff, origin }: Facts) => (new URL(bff).origin === origin ? `The BFF at ${bff} does not accept requests of its own origin. Set VESTIBULE_PUBLIC_URL to the address that browsers use, scheme and port included. If it is set so, a proxy removes the header Origin: let it pass.` : `The BFF at ${bff} does not accept requests of ${origin}, or there is no BFF. Add this origin to VESTIBULE_ALLOWED_ORIGINS, or serve the page and widget.js from one host: www and the apex domain are two origins. If the browser reports a Content Security Policy, add ${new URL(bff).origin} to its connect-src.`),
  'bff-not-found': ({ bff }: Facts) => `There is no BFF at ${bff}. Correct the attribute bff, or the address of widget.js if there is none: both must lead to VESTIBULE_PUBLIC_URL.`,
  'trailing-slash': ({ bff }: Facts) => `A proxy redirects requests to the BFF at ${bff}. Let it pass them on instead. With trailingSlash of Next.js, set skipTrailingSlashRedirect.`,
  'responses-replaced': ({ bff, status }: Facts) => `A response with status ${status} is not that of the BFF at ${bff}: the BFF does not run, or a proxy replaces its responses. Let the proxy pass them on: without proxy_intercept_errors (nginx) or ErrorDocument (Apache) for these addresses.`,
  firewall: ({ bff }: Facts) => `A firewall refuses a request to the BFF at ${bff} with status 403. Exclude its paths from the rules, or allow DELETE and the parameters page, message, answers, return_to and audiencesync_uri.`,
  'service-worker': ({ bff }: Facts) => `A service worker of this site answers navigations to the BFF at ${bff} with a page of the site. Exclude this path in the worker, such as by navigateFallbackDenylist of Workbox.`,
  'trusted-types': ({ bff }: Facts) => `The Content-Security-Policy of this page does not allow the Trusted Types policy of the widget from ${bff}. Add lit-html to trusted-types, with 'allow-duplicates' if the page has another copy of Lit.`,
  'bff-on-another-site': ({ bff, origin }: Facts) => `The sign-in succeeded, but the browser does not send the cookie of ${bff} from ${origin}. If these hosts belong to two domains that are registered separately, serve the BFF from the domain of this page. If they belong to one, the page is in a frame of another site, or the reader blocks cookies.`,
  'cookies-blocked': ({ bff, origin }: Facts) => `The sign-in succeeded, but the browser does not send the cookie of ${bff} from ${origin}. The page is in a frame of another site, or the reader blocks cookies.`,
  'unknown-forum': ({ bff, forum }: Facts) => `The BFF at ${bff} does not know the forum${forum && ` "${forum}"`}. Correct the attribute forum, or add the forum to VESTIBULE_FORUMS.`,
  'forum-unknown-to-service': ({ bff }: Facts) => `The comment service ended a sign-in of ${bff} with an error, not by the reader's decision. Correct VESTIBULE_FORUMS or VESTIBULE_REDIRECT_URI.`,
  'no-posts-list': ({ bff }: Facts) => `The attribute show-posts is set, but the BFF at ${bff} has no hook posts.list. Add the hook or remove the attribute.`,
  'canonical-elsewhere': ({ canonical, origin }: Facts) => `The canonical link of this page, ${canonical}, is of another origin than ${origin}, so the comments belong to the address of the page. Set the attribute page if they belong to another one.`,
} as const satisfies Record<string, (facts: Facts) => string>;

export type IntegrationMistake = keyof typeof integrationMistakes;

const reported = new Set<IntegrationMistake>();

/** Once on a page. */
export function reportMistake(mistake: IntegrationMistake, facts: Partial<Facts>): void {
  if (reported.has(mistake)) return;
  reported.add(mistake);
  const text = integrationMistakes[mistake]({ bff: '', origin: location.origin, forum: '', canonical: '', status: 0, ...facts });
  // eslint-disable-next-line no-console -- the page's developers see it nowhere else
  console[mistake === 'canonical-elsewhere' ? 'warn' : 'error'](`Vestibule: ${text} (${mistake})`);
}

/** After a sign-in whose session does not reach the page. */
export function reportMissingCookie(base: URL): void {
  reportMistake(base.hostname === location.hostname ? 'cookies-blocked' : 'bff-on-another-site', { bff: base.href });
}

/** Reports the mistake behind a failed request, if there is one.
 *  @param request `foreign`: a response that is not the BFF's */
export function reportFailure(problem: WidgetProblem, { base, endpoint, forum = '', foreign }: {
  readonly base: URL; readonly endpoint: Endpoint; readonly forum: string | undefined; readonly foreign: Response | undefined;
}): void {
  const mistake = foreign ? mistakeOfForeign(foreign) : mistakeOf(problem, endpoint);
  if (mistake) reportMistake(mistake, { bff: base.href, forum, status: problem.status });
}

function mistakeOfForeign({ ok, status, type }: Response): IntegrationMistake {
  if (type === 'opaqueredirect') return 'trailing-slash';
  if (ok || [404, 405, 410].includes(status)) return 'bff-not-found';
  return status === 403 ? 'firewall' : 'responses-replaced';
}

function mistakeOf({ type }: WidgetProblem, { method, path }: Endpoint): IntegrationMistake | undefined {
  const isList = method === 'GET' && path === '/posts';
  switch (type) {
    case 'urn:vestibule:forum-not-allowed': return 'unknown-forum';
    // `network`: without an answer, from another origin.
    case 'urn:vestibule:network':
    case 'urn:vestibule:cross-site-request':
    case 'urn:vestibule:untrusted-return-uri': return 'origin-not-allowed';
    // The page is not on an allowed origin.
    case 'urn:vestibule:invalid-request': return isList ? 'origin-not-allowed' : undefined;
    case 'urn:vestibule:not-found': return path === '/session' ? 'bff-not-found' : undefined;
    default: return undefined;
  }
}
