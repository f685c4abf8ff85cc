/** `GET /healthz`: the process is alive. `GET /readyz`: it accepts traffic. Both are public; frequent requests share one ping. */

import { Router, type Request, type Response } from 'express';
import { endpoints } from '@vestibule/shared';
import type { Logger } from 'pino';
import { withDeadline } from '../lib/time.ts';
import type { Store } from '../store/store.ts';
import { methodNotAllowed } from './problem-error.ts';

const STORE_TIMEOUT_MS = 1_000;

/** How long the result of a ping answers further requests, in ms. */
const PING_INTERVAL_MS = 1_000;

export interface HealthDeps {
  readonly store: Pick<Store, 'ping'>;
  /** Whether the process is about to stop. */
  readonly isDraining: () => boolean;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

interface Health {
  readonly status: 'ok' | 'unavailable';
  readonly checks: Readonly<Record<string, 'ok' | 'unavailable' | 'draining'>>;
}

export function createHealthRouter({ store, isDraining, log }: HealthDeps): Router {
  let pingedAt = -Infinity;
  let wasAvailable = true;
  let state: Promise<'ok' | 'unavailable'>;

  const router = Router();
  router.route(endpoints.health.path).get(live).all(methodNotAllowed('GET, HEAD'));
  router.route(endpoints.readiness.path).get(ready).all(methodNotAllowed('GET, HEAD'));
  return router;

  function live(_req: Request, res: Response<Health>): void {
    res.json({ status: 'ok', checks: { process: 'ok' } });
  }

  async function ready(_req: Request, res: Response<Health>): Promise<void> {
    const checks = { store: await storeState(), process: isDraining() ? 'draining' : 'ok' } as const;
    const isReady = Object.values(checks).every((state) => state === 'ok');
    res.status(isReady ? 200 : 503).json({ status: isReady ? 'ok' : 'unavailable', checks });
  }

  /** One ping at a time; its result is reused until the interval is over. */
  function storeState(): Promise<'ok' | 'unavailable'> {
    if (performance.now() - pingedAt >= PING_INTERVAL_MS) {
      pingedAt = performance.now();
      state = withDeadline(STORE_TIMEOUT_MS, () => store.ping(), () => new Error('The store did not respond in time.'))
        .then(() => report(), report);
    }
    return state;
  }

  /** Logs each change. */
  function report(err?: unknown): 'ok' | 'unavailable' {
    const isAvailable = err === undefined;
    if (wasAvailable && !isAvailable) log.warn({ err, setting: 'VESTIBULE_STORE' }, 'the store does not accept writes: GET /readyz is 503');
    if (!wasAvailable && isAvailable) log.info('the store accepts writes again');
    wasAvailable = isAvailable;
    return isAvailable ? 'ok' : 'unavailable';
  }
}
