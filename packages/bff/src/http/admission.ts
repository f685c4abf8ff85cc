/** Which requests are admitted, and which of them a stop waits for. */

import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { ProblemError, type ProblemOptions } from '../problem.ts';

/** Posts and actions of one reader at work at the same time: a service that hangs leaves room for the others. */
const MAX_OF_READER = 4;

export interface AdmissionDeps {
  /** The reader whom the signed cookie of a request names. */
  readonly readerKeyOf: (req: Request) => string | undefined;
}

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission({ readerKeyOf }: AdmissionDeps) {
  const responses = new Set<Promise<void>>();
  /** Posts and sign-ins, also those whose reader has disconnected. */
  const work = new Set<Promise<void>>();
  /** Posts and actions at work, by reader. */
  const atWork = new Map<string | undefined, number>();
  let isUnready = false;
  let isDraining = false;
  return { track, awaitedAtStop, boundedByReader, admit, markUnready, drain, isReady: () => !isUnready && !isDraining };

  function add(to: Set<Promise<void>>, ending: Promise<void>): void {
    to.add(ending);
    void ending.catch(() => undefined).then(() => to.delete(ending));
  }

  /** Once for each request, before anything handles it. Its reader may have left already. */
  function track(res: ServerResponse): void {
    add(responses, finished(res));
  }

  /** A handler of a post or a sign-in. */
  function awaitedAtStop(handler: (req: Request, res: Response) => Promise<void>): RequestHandler {
    return (req, res) => {
      const handling = handler(req, res);
      add(work, handling);
      return handling;
    };
  }

  /** A handler of a post or an action. A fifth of one reader at once is refused. */
  function boundedByReader(handler: (req: Request, res: Response) => Promise<void>): RequestHandler {
    return awaitedAtStop(async (req, res) => {
      const reader = readerKeyOf(req);
      const count = atWork.get(reader) ?? 0;
      if (count === MAX_OF_READER) throw new ProblemError('service-unavailable', BUSY);
      atWork.set(reader, count + 1);
      try {
        await handler(req, res);
      } finally {
        const left = (atWork.get(reader) as number) - 1;
        if (left > 0) atWork.set(reader, left);
        else atWork.delete(reader);
      }
    });
  }

  /** Guard of posts and sign-ins. */
  function admit(_req: Request, _res: Response, next: () => void): void {
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

const BUSY: ProblemOptions = {
  detail: 'Your earlier comments are still being sent. Please try again in a moment.',
  retryAfterSeconds: 2,
  diagnosis: { reason: `${MAX_OF_READER} posts and actions of one reader are at work`, setting: 'the service, which answers slowly' },
};

function draining(): ProblemError {
  return new ProblemError('service-unavailable', {
    detail: 'Comments are restarting. Nothing was sent; please try again in a moment.',
    retryAfterSeconds: 2,
    diagnosis: { reason: 'the BFF drains: it was asked to stop', setting: 'the deployment or the process manager' },
  });
}
