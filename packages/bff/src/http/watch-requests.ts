/** Tells whoever counts requests of each that begins and of how it went. */

import type { RequestHandler, Response } from 'express';
import { methodOf, routeOf } from './route.ts';

export interface EndedRequest {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  /** Whether the requester went away before the answer was sent. */
  readonly aborted: boolean;
  /** From the head to the end of the answer, in milliseconds. */
  readonly ms: number;
  readonly res: Response;
}

export interface RequestWatcher {
  began?(): void;
  ended(request: EndedRequest): void;
}

export function watchRequests(...watchers: readonly RequestWatcher[]): RequestHandler {
  return (req, res, next) => {
    const beganAt = performance.now();
    const route = routeOf(req, res);
    const method = methodOf(req);
    for (const watcher of watchers) watcher.began?.();
    res.on('close', () => {
      const ms = performance.now() - beganAt;
      const request = { route, method, status: res.statusCode, aborted: !res.writableFinished, ms, res };
      for (const watcher of watchers) watcher.ended(request);
    });
    next();
  };
}
