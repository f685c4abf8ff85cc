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
      + `Policy, add ${own} to its connect-src. If it reports a request header, a script of this page adds it: a proxy must let OPTIONS `
      + 'pass to the BFF, which allows all headers.';
  },
  'page-not-allowed': ({ bff, page }: Facts) => (
    `The BFF at ${bff} takes no comments for ${new URL(page).origin}, which the attribute page names. Correct the attribute (a `
    + 'relative address counts from the document\'s <base>), or add this origin to VESTIBULE_ALLOWED_ORIGINS.'
  ),
  'unknown-forum': ({ bff, forum }: Facts) => (
    `The BFF at ${bff} does not know the forum${forum && ` "${forum}"`}. Correct the attribute forum, or add the forum to VESTIBULE_FORUMS.`
  ),
  'no-posts-list': ({ bff }: Facts) => (
    `The attribute show-posts is set, but the BFF at ${bff} has no hook posts.list. Add the hook or remove the attribute.`
  ),
  'not-the-bff': ({ bff, status }: Facts) => (
    `A response${status ? ` with status ${status}` : ''} is not that of the BFF at ${bff}. The attribute bff, or the address of widget.js `
    + 'if there is none, must lead to VESTIBULE_PUBLIC_URL. If it does, something answers in place of the BFF: a proxy that redirects, '
    + 'asks for a sign-in of its own or replaces error pages, a firewall (403), or a service worker of this site.'
  ),
  'cookies-blocked': ({ bff, origin }: Facts) => (
    `The sign-in succeeded, but the browser does not send the cookie of ${bff} from ${origin}. Serve the BFF from the domain of this `
    + 'page. If it is, the page is in a frame of another site, the reader blocks cookies, or a service worker has an old response.'
  ),
} as const satisfies Record<string, (facts: Facts) => string>;

export type IntegrationMistake = keyof typeof integrationMistakes;

const reported = new Set<IntegrationMistake>();

/** Once on a page. */
export function reportMistake(mistake: IntegrationMistake, facts: Partial<Facts>): void {
  if (reported.has(mistake)) return;
  reported.add(mistake);
  const text = integrationMistakes[mistake]({ bff: '', origin: globalThis.origin, forum: '', page: '', status: 0, ...facts });
  // eslint-disable-next-line no-console -- the page's developers see it nowhere else
  console.error(`Vestibule: ${text} (${mistake})`);
}

/** Reports the mistake behind a failed request, if there is one.
 *  @param request `isForeign`: the response is not the BFF's */
export function reportFailure(problem: WidgetProblem, { base, endpoint, forum = '', page, isForeign }: {
  readonly base: URL;
  readonly endpoint: Endpoint;
  readonly forum: string | undefined;
  readonly page: string | undefined;
  readonly isForeign: boolean;
}): void {
  const mistake = isForeign ? 'not-the-bff' : mistakeOf(problem, endpoint, page);
  if (mistake) reportMistake(mistake, { bff: base.href, forum, page: page ?? '', status: problem.status });
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
    case 'urn:vestibule:not-found': return path === '/session' ? 'not-the-bff' : undefined;
    default: return undefined;
  }
}
