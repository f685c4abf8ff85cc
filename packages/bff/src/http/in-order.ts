/** Middleware that belongs together as one: each goes on to the next, without the router's search between them. */

import type { NextFunction, Request, RequestHandler, Response } from 'express';

export function inOrder(...handlers: readonly RequestHandler[]): RequestHandler {
  return (req, res, next) => { run(0, handlers, { req, res, next }); };
}

interface Turn {
  readonly req: Request;
  readonly res: Response;
  readonly next: NextFunction;
}

/** What a handler throws, at once or later, or hands to `next` is the router's to answer. */
function run(i: number, handlers: readonly RequestHandler[], turn: Turn): void {
  const handler = handlers[i];
  if (!handler) {
    turn.next();
    return;
  }
  try {
    const left: unknown = handler(turn.req, turn.res, (error?: unknown) => {
      if (error === undefined) run(i + 1, handlers, turn);
      else turn.next(error);
    });
    if (left instanceof Promise) left.catch(turn.next);
  } catch (error) {
    turn.next(error);
  }
}
