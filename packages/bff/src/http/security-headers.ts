/** Headers of every answer but the static files': nothing is kept, nothing is guessed, nobody is told where from. */

import type { RequestHandler } from 'express';

const headers = Object.entries({
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
});

export const securityHeaders: RequestHandler = (_req, res, next) => {
  for (const [name, value] of headers) res.setHeader(name, value);
  next();
};
