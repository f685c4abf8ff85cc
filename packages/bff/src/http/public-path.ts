/** The path of the public address, taken off where nobody did: an application that mounts the BFF under a path has done so,
 *  a plain server has not. */

import type { RequestHandler } from 'express';

export function publicPath(publicUrl: string): RequestHandler {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  return (req, _res, next) => {
    if (req.baseUrl === '' && base !== '' && req.url.startsWith(`${base}/`)) req.url = req.url.slice(base.length);
    next();
  };
}
