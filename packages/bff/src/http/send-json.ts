/** A JSON answer as it is: no entity tag, nothing to negotiate, one write. */

import type { Response } from 'express';

export function sendJson<T>(res: Response<T>, body: T, status = 200): void {
  const text = JSON.stringify(body);
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}
