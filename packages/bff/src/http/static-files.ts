/** The widget's files as they were built, compressed ahead: `widget.js` at a lasting address; `assets/*` and
 *  `widget-<version>-<hash>.js`, whose addresses change with their content, immutable.
 *  Public to every page: they hold nothing of anybody's. */

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestHandler } from 'express';
import sirv from 'sirv';

/** Seconds for which a browser uses `widget.js` unasked. */
const WIDGET_MAX_AGE = 300;

/** Seconds of a year. */
const IMMUTABLE_MAX_AGE = 31_536_000;

/** The label of a static path in logs and metrics; `undefined` for other paths. */
export function staticRouteLabel(path: string): string | undefined {
  if (path === '/widget.js') return path;
  if (/^\/widget-[\w.+-]+\.js$/.test(path)) return '/widget-*.js';
  return path.startsWith('/assets/') ? '/assets/*' : undefined;
}

/** Where the built widget lies. */
export function widgetDirectory(): string {
  return join(dirname(fileURLToPath(import.meta.resolve('@vestibule/widget/package.json'))), 'dist', 'browser');
}

export function staticFiles(directory: string = widgetDirectory()): RequestHandler {
  const serve = sirv(directory, {
    brotli: true,
    gzip: true,
    etag: true,
    setHeaders: (res, path) => {
      const immutable = path !== '/widget.js';
      res.setHeader('Cache-Control', immutable
        ? `public, max-age=${IMMUTABLE_MAX_AGE}, immutable`
        : `public, max-age=${WIDGET_MAX_AGE}, must-revalidate`);
      res.setHeader('Access-Control-Allow-Origin', '*');
      res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      res.setHeader('X-Content-Type-Options', 'nosniff');
    },
  });
  return (req, res, next) => {
    if (staticRouteLabel(req.path) !== undefined && (req.method === 'GET' || req.method === 'HEAD')) serve(req, res, next);
    else next();
  };
}
