/** A JSON answer as it is: no entity tag, nothing to negotiate, one write. Answers of one turn of the event loop go out
 *  together: whoever reads them, a proxy on this machine, is then woken once and not for each. */

import type { Response } from 'express';

interface Answer {
  readonly res: Response;
  readonly text: string;
}

let waiting: Answer[] = [];

export function sendJson<T>(res: Response<T>, body: T, status = 200): void {
  const text = JSON.stringify(body);
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  // Node.js tells the length of what it sends; of what it leaves out it cannot.
  if (res.req.method === 'HEAD') res.setHeader('Content-Length', Buffer.byteLength(text));
  if (waiting.push({ res, text }) === 1) setImmediate(sendAll);
}

function sendAll(): void {
  const answers = waiting;
  waiting = [];
  for (const { res, text } of answers) res.end(text);
}
