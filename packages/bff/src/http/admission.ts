/** Which requests are admitted, and which of them a stop waits for. */

import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { ProblemError } from '../problem.ts';

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission() {
  const responses = new Set<Promise<void>>();
  /** Posts and sign-ins, also those whose reader has disconnected. */
  const work = new Set<Promise<void>>();
  let isUnready = false;
  let isDraining = false;
  return { track, counted, admit, markUnready, drain, isReady: () => !isUnready && !isDraining };

  function add(to: Set<Promise<void>>, ending: Promise<void>): void {
    to.add(ending);
    void ending.catch(() => undefined).then(() => to.delete(ending));
  }

  /** Once for each request, before anything handles it. Its reader may have left already. */
  function track(res: ServerResponse): void {
    add(responses, finished(res));
  }

  /** A handler of a post or a sign-in. */
  function counted(handler: (req: Request, res: Response) => Promise<void>): RequestHandler {
    return (req, res) => {
      const handling = handler(req, res);
      add(work, handling);
      return handling;
    };
  }

  /** Guard of posts and sign-ins. */
  function admit(_req: Request, _res: Response, next: () => void): void {
    if (isDraining) {
      throw new ProblemError('service-unavailable', {
        detail: 'Comments are restarting. Nothing was sent; please try again in a moment.',
        retryAfterSeconds: 2,
        diagnosis: { reason: 'the BFF drains: it was asked to stop', setting: 'the deployment or the process manager' },
      });
    }
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
