/** What a request passes before its handler: headers, origin, JSON body. */

import { isUtf8 } from 'node:buffer';
import express, { type RequestHandler } from 'express';
import { IDEMPOTENCY_REPLAYED_HEADER, PROBLEM_MEDIA_TYPE } from '@vestibule/shared';
import { refusedOrigin } from '../input.ts';
import { ProblemError } from '../problem.ts';
import { contextOf } from './frame.ts';
import { unknownRoute } from './routes.ts';

const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  // A cross-site page gets no response into its process; pages of allowed origins read it by CORS.
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': `default-src 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

export const securityHeaders: RequestHandler = (_req, res, next) => {
  res.set(SECURITY_HEADERS);
  next();
};

/** Express would read a path such as `/posts/{id}` as one of the BFF's. */
export const onlyKnownPaths: RequestHandler = (req, _res, next) => {
  if (contextOf(req).route === unknownRoute) throw new ProblemError('not-found');
  next();
};

/** RFC 9112, 3.2: a proxy may have read another host than Node.js, which takes the first one. */
export const oneHost: RequestHandler = (req, _res, next) => {
  if ((req.headersDistinct['host']?.length ?? 0) > 1) throw new ProblemError('invalid-request', { detail: 'Host is repeated.' });
  next();
};

/** Refuses clients that accept neither JSON nor problem details: `not-acceptable`. */
export const acceptsJson: RequestHandler = (req, _res, next) => {
  if (!req.accepts(['application/json', PROBLEM_MEDIA_TYPE])) throw new ProblemError('not-acceptable');
  next();
};

/** Last handler: a path of the BFF, with a method that it does not have. */
export const methodNotAllowed: RequestHandler = (req) => {
  const allow = contextOf(req).route.methods.join(', ').replace('GET', 'GET, HEAD');
  throw new ProblemError('method-not-allowed', { allow });
};

const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

const EXPOSED_HEADERS = `${IDEMPOTENCY_REPLAYED_HEADER}, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id`;

/** CORS with credentials, and protection against cross-site requests.
 *  @param origins as browsers send them: scheme, host, and the port unless it is the default */
export function originCheck(origins: readonly string[]): RequestHandler {
  const allowed: ReadonlySet<string> = new Set(origins);
  return (req, res, next) => {
    res.vary('Origin, Sec-Fetch-Site');
    const { origin } = req.headers;
    const isAllowed = origin !== undefined && allowed.has(origin);
    if (isAllowed) {
      res.set({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Expose-Headers': EXPOSED_HEADERS,
      });
    }
    if (req.method === 'OPTIONS' && origin !== undefined && req.get('Access-Control-Request-Method') !== undefined) {
      if (!isAllowed) throw crossSiteRequest(origin, origins);
      res.set({
        'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
        // Monitoring and tracing of the page add headers of their own; `*` does not apply with credentials.
        'Access-Control-Allow-Headers': req.get('Access-Control-Request-Headers') ?? '',
        'Access-Control-Max-Age': '600',
      });
      res.status(204).end();
      return;
    }
    // Browsers that omit `Origin` send Fetch Metadata.
    const isSameOrigin = origin === undefined && req.get('Sec-Fetch-Site') === 'same-origin';
    if (!SAFE_METHODS.includes(req.method) && !isAllowed && !isSameOrigin) throw crossSiteRequest(origin, origins);
    next();
  };
}

function crossSiteRequest(origin: string | undefined, allowed: readonly string[]): ProblemError {
  const diagnosis = origin === undefined
    ? { reason: 'the request has neither Origin nor Sec-Fetch-Site: same-origin', setting: 'the proxy, which must pass Origin on' }
    : refusedOrigin(URL.parse(origin), allowed);
  return new ProblemError('cross-site-request', { diagnosis });
}

/** Public: any page may read the response, which depends on no cookie. */
export const allowAnyPage: RequestHandler = (_req, res, next) => {
  res.removeHeader('X-Request-Id');
  res.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  next();
};

/** A body of JSON in UTF-8, bounded and not compressed. Each code point of a message takes at most two escapes of six bytes; 64
 *  KiB are for the other members. */
export function jsonBody(messageMaxLength: number): RequestHandler[] {
  return [requireJson, express.json({ limit: messageMaxLength * 12 + 64 * 1024, inflate: false, verify: requireUtf8 })];
}

const requireJson: RequestHandler = (req, _res, next) => {
  if (req.is('application/json') === false) throw new ProblemError('unsupported-media-type');
  next();
};

/** RFC 8259, 8.1: JSON between systems is UTF-8. */
function requireUtf8(_req: unknown, _res: unknown, body: Buffer, charset: string): void {
  if (charset !== 'utf-8') throw new ProblemError('unsupported-media-type');
  if (!isUtf8(body)) throw new ProblemError('invalid-request');
}

/** Navigations in advance (`Sec-Purpose: prefetch`) bind nothing. */
export const refusePrefetch: RequestHandler = (req, _res, next) => {
  if (!/prefetch/i.test(req.get('Sec-Purpose') ?? req.get('Purpose') ?? '')) return next();
  throw new ProblemError('service-unavailable', { detail: 'A sign-in cannot be loaded in advance.', retryAfterSeconds: 1, isPrefetch: true });
};
