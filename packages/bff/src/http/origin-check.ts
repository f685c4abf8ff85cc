/** CORS with credentials and protection against cross-site requests, by an exact list of origins. */

import type { Request, RequestHandler } from 'express';
import { IDEMPOTENCY_KEY_HEADER, IDEMPOTENCY_REPLAYED_HEADER } from '@vestibule/shared';
import { plainText } from '../lib/text.ts';
import { ProblemError } from './problem-error.ts';

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** How long browsers cache the response to a preflight, in seconds. */
const PREFLIGHT_SECONDS = 600;

const VARY = 'Origin, Sec-Fetch-Site';

/** Headers that a page of another origin may read. */
export const EXPOSED_HEADERS = `${IDEMPOTENCY_REPLAYED_HEADER}, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id`;

/** @param origins as browsers send them: scheme, host, and the port unless it is the default */
export function originCheck(origins: readonly string[]): RequestHandler {
  const allowed: ReadonlySet<string> = new Set(origins);
  return (req, res, next) => {
    res.vary(VARY);
    const { origin } = req.headers;
    const isAllowed = origin !== undefined && allowed.has(origin);
    if (isAllowed) {
      res.setHeader('Access-Control-Allow-Origin', origin);
      res.setHeader('Access-Control-Allow-Credentials', 'true');
      res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    }
    if (isPreflight(req)) {
      if (!isAllowed) throw crossSiteRequest(origin, origins);
      res.set({
        'Access-Control-Allow-Methods': 'GET, POST, DELETE',
        'Access-Control-Allow-Headers': `Content-Type, ${IDEMPOTENCY_KEY_HEADER}`,
        'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
      });
      res.status(204).end();
      return;
    }
    if (!SAFE_METHODS.includes(req.method) && !isAllowed && !isSameOrigin(req, origin)) throw crossSiteRequest(origin, origins);
    next();
  };
}

function isPreflight(req: Request): boolean {
  return req.method === 'OPTIONS' && req.headers.origin !== undefined && req.get('Access-Control-Request-Method') !== undefined;
}

/** Browsers that omit `Origin` send Fetch Metadata. */
function isSameOrigin(req: Request, origin: string | undefined): boolean {
  return origin === undefined && req.get('Sec-Fetch-Site') === 'same-origin';
}

function crossSiteRequest(origin: string | undefined, allowed: readonly string[]): ProblemError {
  const diagnosis = origin === undefined
    ? { reason: 'the request has neither Origin nor Sec-Fetch-Site: same-origin', setting: 'the proxy, which must pass Origin on' }
    : refusedOrigin(URL.parse(origin), allowed);
  return new ProblemError('cross-site-request', { diagnosis });
}

/** Log fields about an origin that is not in `allowed`: how it differs from one that is, and the setting to look at. */
export function refusedOrigin(url: URL | null, allowed: readonly string[]): Readonly<Record<'reason' | 'origin' | 'setting', string>> {
  const similar = url && allowed.map((one) => new URL(one)).find((one) => withoutWww(one) === withoutWww(url));
  const hasOtherScheme = similar && similar.protocol !== url.protocol;
  return {
    reason: `the origin is not allowed${similar ? `: it differs in ${hasOtherScheme ? 'scheme' : 'www or port'} from ${similar.origin}` : ''}`,
    origin: plainText(url?.origin ?? 'malformed'),
    setting: hasOtherScheme ? 'VESTIBULE_PUBLIC_URL, VESTIBULE_ALLOWED_ORIGINS' : 'VESTIBULE_ALLOWED_ORIGINS',
  };
}

function withoutWww({ hostname }: URL): string {
  return hostname.replace(/^www\./, '');
}
