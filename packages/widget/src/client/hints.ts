/**
 * Mistakes in how a page embeds the widget: finds the one behind a failed request and reports it to the page's developers, one
 * console message each. Loaded after a failure only. Imports nothing of the first stage, which may be what failed.
 */

import type { Endpoint } from '@vestibule/shared';
import type { WidgetProblem, WidgetProblemType } from './problem.ts';

/** Values in a message. */
interface Facts {
  /** Base address of the BFF. */
  readonly bff: string;
  /** Origin of the page. */
  readonly origin: string;
  readonly forum: string;
}

/** The fix of each mistake. Each key is an anchor of `docs/troubleshooting.md`. */
export const integrationMistakes = {
  'origin-not-allowed': ({ bff, origin }: Facts) => (new URL(bff).origin === origin ? `The BFF at ${bff} does not accept requests of its own origin. Set VESTIBULE_PUBLIC_URL to the address that browsers use, scheme and port included. If it is set so, a proxy removes the header Origin: let it pass.` : `The BFF at ${bff} does not accept requests of ${origin}, or redirects them. Add this origin to VESTIBULE_ALLOWED_ORIGINS, or serve the page and widget.js from one host: www and the apex domain are two origins.`),
  'bff-not-found': ({ bff }: Facts) => `There is no BFF at ${bff}. Correct the attribute bff, or the address of widget.js if there is none: both must lead to VESTIBULE_PUBLIC_URL.`,
  'csp-connect-src': ({ bff }: Facts) => `The Content-Security-Policy of this page blocks requests to the BFF. Add ${new URL(bff).origin} to connect-src.`,
  'trusted-types': ({ bff }: Facts) => `The Content-Security-Policy of this page does not allow the Trusted Types policy of the widget from ${bff}. Add lit-html to trusted-types, with 'allow-duplicates' if the page has another copy of Lit.`,
  'bff-on-another-site': ({ bff, origin }: Facts) => `The sign-in succeeded, but the browser does not send the cookie of ${bff} from ${origin}. If these hosts belong to two domains that are registered separately, serve the BFF from the domain of this page. If they belong to one, the page is in a frame of another site, or the reader blocks cookies.`,
  'cookies-blocked': ({ bff, origin }: Facts) => `The sign-in succeeded, but the browser does not send the cookie of ${bff} from ${origin}. The page is in a frame of another site, or the reader blocks cookies.`,
  'unknown-forum': ({ bff, forum }: Facts) => `The BFF at ${bff} does not know the forum${forum && ` "${forum}"`}. Correct the attribute forum, or add the forum to VESTIBULE_FORUMS.`,
  'forum-unknown-to-service': ({ bff }: Facts) => `The comment service ended a sign-in of ${bff} with an error, not by the reader's decision. Correct VESTIBULE_FORUMS or VESTIBULE_REDIRECT_URI.`,
  'no-posts-list': ({ bff }: Facts) => `The attribute show-posts is set, but the BFF at ${bff} has no hook posts.list. Add the hook or remove the attribute.`,
} as const satisfies Record<string, (facts: Facts) => string>;

export type IntegrationMistake = keyof typeof integrationMistakes;

const reported = new Set<IntegrationMistake>();

/** Once on a page. */
export function reportMistake(mistake: IntegrationMistake, facts: Partial<Facts> & Pick<Facts, 'bff'>): void {
  if (reported.has(mistake)) return;
  reported.add(mistake);
  const text = integrationMistakes[mistake]({ origin: location.origin, forum: '', ...facts });
  // eslint-disable-next-line no-console -- the page's developers see it nowhere else
  console.error(`Vestibule: ${text} See docs/troubleshooting.md#${mistake}`);
}

/** After a sign-in whose session does not reach the page. */
export function reportMissingCookie(base: URL): void {
  reportMistake(base.hostname === location.hostname ? 'cookies-blocked' : 'bff-on-another-site', { bff: base.href });
}

export interface FailedRequest {
  readonly base: URL;
  readonly endpoint: Endpoint;
  readonly url: URL;
  readonly body: object | undefined;
}

/**
 * Reports the mistake behind a failed request, if there is one.
 * @returns a problem with a message about the mistake; `undefined`: the reader sees the original problem
 */
export async function explain(problem: WidgetProblem, request: FailedRequest): Promise<WidgetProblem | undefined> {
  const { base, endpoint, url, body } = request;
  const { mistake, instance } = await findMistake(problem, request);
  if (!mistake) return undefined;
  const page = URL.parse(url.searchParams.get('page') ?? location.href);
  const forum = url.searchParams.get('forum') ?? (body as { readonly forum?: string } | undefined)?.forum ?? '';
  reportMistake(mistake, { bff: base.href, forum, ...(page && { origin: page.origin }) });
  if (endpoint.method !== 'GET' || mistake === 'unknown-forum') return undefined;
  if (mistake !== 'bff-not-found') return refusal('cross-site-request', { ...problem, ...(instance && { instance }) });
  return endpoint.path === '/session' ? refusal('not-found', problem) : undefined;
}

/** Keeps `instance`, which finds the request in the log. */
function refusal(type: WidgetProblemType, problem: WidgetProblem): WidgetProblem {
  return { ...problem, type: `urn:vestibule:${type}`, title: 'Not embedded correctly', retryable: false };
}

interface Cause {
  readonly mistake?: IntegrationMistake | undefined;
  /** Of the problem that names it, if that is not the failure's own. */
  readonly instance?: string | undefined;
}

async function findMistake(problem: WidgetProblem, { base, endpoint }: FailedRequest): Promise<Cause> {
  const { type, status } = problem;
  switch (type) {
    case 'urn:vestibule:forum-not-allowed': return { mistake: 'unknown-forum' };
    case 'urn:vestibule:cross-site-request':
    case 'urn:vestibule:untrusted-return-uri': return { mistake: 'origin-not-allowed' };
    // Of `GET /posts`: the page is not on an allowed origin.
    case 'urn:vestibule:invalid-request': return endpoint.path === '/posts' && endpoint.method === 'GET' ? { mistake: 'origin-not-allowed' } : {};
    case 'urn:vestibule:not-found': return endpoint.path === '/session' ? { mistake: 'bff-not-found' } : {};
    case 'urn:vestibule:network': return status === 0 ? await probe(base) : { mistake: 'bff-not-found' };
    default: return {};
  }
}

const PROBE: RequestInit = { credentials: 'omit', cache: 'no-store' };

const probes = new Map<string, Promise<Cause>>();

/** How long a report of the browser about its policy takes at most, in ms. */
const VIOLATION_WITHIN_MS = 500;

/** Finds why a request got no response. Requests once on a page, so that an outage does not become worse. */
function probe(base: URL): Promise<Cause> {
  const found = probes.get(base.href) ?? diagnose(base);
  probes.set(base.href, found);
  return found;
}

/** Requests the posts of this origin: the one response that a page of any origin may read. */
async function diagnose(base: URL): Promise<Cause> {
  const url = new URL(`posts?${new URLSearchParams({ page: `${location.origin}/` })}`, base);
  const { promise: blocked, resolve } = Promise.withResolvers<boolean>();
  const onViolation = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void => {
    if (effectiveDirective === 'connect-src' && URL.parse(blockedURI)?.origin === url.origin) resolve(true);
  };
  document.addEventListener('securitypolicyviolation', onViolation);
  try {
    const response = await fetch(url, { ...PROBE, redirect: 'manual' }).catch(() => undefined);
    if (response?.type === 'opaqueredirect') return { mistake: 'bff-not-found' };
    if (response) {
      const problem = await response.json().catch(() => undefined) as Partial<WidgetProblem> | undefined;
      return problem?.type === 'urn:vestibule:invalid-request' ? { mistake: 'origin-not-allowed', instance: problem.instance } : {};
    }
    const withoutCors = await fetch(url, { ...PROBE, method: 'HEAD', mode: 'no-cors' }).catch(() => undefined);
    if (withoutCors) return { mistake: 'origin-not-allowed' };
    setTimeout(() => resolve(false), VIOLATION_WITHIN_MS);
    return await blocked ? { mistake: 'csp-connect-src' } : {};
  } finally {
    document.removeEventListener('securitypolicyviolation', onViolation);
  }
}
