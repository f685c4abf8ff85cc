/** Which requests are admitted, and which of them a stop waits for. */

import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { createSlots, type Slots } from '../lib/slots.ts';
import { ProblemError, type ProblemOptions } from '../problem.ts';

/** Posts and actions of one reader at work at the same time: a service that hangs leaves room for the others. */
const MAX_OF_READER = 4;

export interface AdmissionDeps {
  readonly config: { readonly serviceTimeoutMs: number; readonly hookTimeoutMs: number };
  /** The reader whom the signed cookie of a request names. */
  readonly readerKeyOf: (req: Request) => string | undefined;
}

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission({ config, readerKeyOf }: AdmissionDeps) {
  const responses = new Set<Promise<void>>();
  /** Posts and sign-ins, also those whose reader has disconnected. */
  const work = new Set<Promise<void>>();
  /** By reader: who is at work or waits. */
  const queues = new Map<string | undefined, { readonly slots: Slots; requests: number }>();
  const waitMs = config.serviceTimeoutMs + config.hookTimeoutMs;
  let isUnready = false;
  let isDraining = false;
  return { track, awaitedAtStop, inTurn, admit, markUnready, drain, isReady: () => !isUnready && !isDraining };

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

  /** A handler of a post or an action, which waits until fewer than four of its reader are at work. It finds the session itself:
   *  a sign-out meanwhile counts. */
  function inTurn(handler: (req: Request, res: Response) => Promise<void>): RequestHandler {
    return awaitedAtStop(async (req, res) => {
      const reader = readerKeyOf(req);
      const queue = queues.get(reader) ?? { slots: createSlots(MAX_OF_READER, waitMs), requests: 0 };
      queues.set(reader, queue);
      queue.requests += 1;
      try {
        if (!await queue.slots.take()) throw isDraining ? draining() : new ProblemError('service-unavailable', BUSY);
        await handler(req, res).finally(queue.slots.release);
      } finally {
        queue.requests -= 1;
        if (queue.requests === 0) queues.delete(reader);
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
    for (const { slots } of queues.values()) slots.refuseWaiting();
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
