/** What each request has: a context, a line of the log, its metrics, and a place among those that a stop waits for. The context
 *  is not in `res.locals`, which a host application shares. */

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { ProblemType } from '@vestibule/shared';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { ProblemError } from '../problem.ts';
import { unknownRoute, type Route } from './routes.ts';

interface RequestContext {
  readonly id: string;
  readonly route: Route;
  problem?: ProblemType;
  /** Stands for the user whose session cookie arrived. */
  logId?: string | undefined;
}

const contexts = new WeakMap<IncomingMessage, RequestContext>();

/** The context of a request; in other routes of a host application, a temporary one with an empty id. */
export function contextOf(req: IncomingMessage): RequestContext {
  return contexts.get(req) ?? { id: '', route: unknownRoute };
}

export interface EndedRequest {
  readonly route: Route;
  readonly method: string;
  /** `aborted`: the client disconnected before the response was complete. */
  readonly status: string;
  readonly seconds: number;
}

export type Frame = ReturnType<typeof createFrame>;

/** @param observe receives each request when its response has ended */
export function createFrame(log: Logger, observe: (ended: EndedRequest) => void) {
  const responses = new Set<Promise<void>>();
  /** Posts and sign-ins, also those whose reader has disconnected. */
  const work = new Set<Promise<void>>();
  let isUnready = false;
  let isDraining = false;
  return { begin, awaitedAtStop, refuseAtStop, markUnready, drain, isReady: () => !isUnready && !isDraining };

  function add(to: Set<Promise<void>>, ending: Promise<void>): void {
    to.add(ending);
    void ending.catch(() => undefined).then(() => to.delete(ending));
  }

  /** Once for each request, before anything handles it. Its reader may have left already. */
  function begin(req: IncomingMessage, res: ServerResponse, route: Route): void {
    const beganAt = performance.now();
    const context: RequestContext = { id: randomUUID(), route };
    contexts.set(req, context);
    res.setHeader('X-Request-Id', context.id);
    const method = req.method as string;
    const ending = finished(res);
    add(responses, ending);
    void ending.catch(() => undefined).then(() => {
      const ms = performance.now() - beganAt;
      const aborted = !res.writableFinished;
      const { id, problem, logId } = context;
      observe({ route, method, status: aborted ? 'aborted' : String(res.statusCode), seconds: ms / 1000 });
      // An absent member would hide that of a host's `mixin`.
      log[route.isHealth ? 'debug' : 'info']({
        request_id: id,
        method,
        route: route.label,
        status: res.statusCode,
        ms: Math.round(ms * 10) / 10,
        ...(problem !== undefined && { problem }),
        ...(logId !== undefined && { user: logId }),
        ...(aborted && { aborted }),
      }, 'request');
    });
  }

  /** A handler of a post or a sign-in. */
  function awaitedAtStop(handler: (req: Request, res: Response) => Promise<void>): RequestHandler {
    return (req, res) => {
      const handling = handler(req, res);
      add(work, handling);
      return handling;
    };
  }

  /** Guard of posts and sign-ins. */
  function refuseAtStop(_req: Request, _res: Response, next: () => void): void {
    if (isDraining) throw draining();
    next();
  }

  /** The process is not ready from now on, and still admits everything. */
  function markUnready(): void {
    isUnready = true;
  }

  /** Refuses further posts and sign-ins. Resolves when the requests that are open now are finished. A connection that carries
   *  none is not waited for, nor is another request that begins meanwhile: under load it would never resolve. */
  async function drain(): Promise<void> {
    isDraining = true;
    await Promise.allSettled(responses);
    while (work.size > 0) await Promise.allSettled(work);
  }
}

function draining(): ProblemError {
  return new ProblemError('service-unavailable', {
    detail: 'Comments are restarting. Nothing was sent; please try again in a moment.',
    retryAfterSeconds: 2,
    diagnosis: { reason: 'the server drains: it was asked to stop', setting: 'the deployment or the process manager' },
  });
}
