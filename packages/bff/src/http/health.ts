/** `GET /healthz`: the process is alive. `GET /readyz`: it accepts traffic. Both are public. */

import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { withDeadline } from '../lib/time.ts';
import { StoreUnavailableError, type Store } from '../store/store.ts';
import type { Frame } from './frame.ts';

const STORE_TIMEOUT_MS = 1_000;

/** How long the result of a ping answers further requests, in ms: anybody may send them, and a ping of SQLite is a commit. */
const PING_INTERVAL_MS = 1_000;

export interface HealthDeps {
  readonly store: Pick<Store, 'ping'>;
  readonly frame: Pick<Frame, 'isReady'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

export function createHealth({ store, frame, log }: HealthDeps) {
  let pingedAt = -Infinity;
  let state: Promise<'ok' | 'unavailable'>;
  /** The reason that was logged. */
  let reported: string | undefined;
  return { live, ready };

  function live(_req: Request, res: Response): void {
    res.json({ status: 'ok', checks: { process: 'ok' } });
  }

  async function ready(_req: Request, res: Response): Promise<void> {
    if (performance.now() - pingedAt >= PING_INTERVAL_MS) {
      pingedAt = performance.now();
      state = ping();
    }
    const checks = { store: await state, process: frame.isReady() ? 'ok' : 'draining' } as const;
    const isReady = Object.values(checks).every((check) => check === 'ok');
    res.status(isReady ? 200 : 503).json({ status: isReady ? 'ok' : 'unavailable', checks });
  }

  /** Logs each change, and each new reason. */
  async function ping(): Promise<'ok' | 'unavailable'> {
    try {
      await withDeadline(STORE_TIMEOUT_MS, () => store.ping(), () => new StoreUnavailableError(undefined));
      if (reported !== undefined) log.info('the store accepts writes again');
      reported = undefined;
      return 'ok';
    } catch (err) {
      const reason = err instanceof StoreUnavailableError ? err.reason : 'the store did not answer';
      if (reason !== reported) log.warn({ err, reason, setting: 'VESTIBULE_STORE' }, 'the store does not accept writes: GET /readyz is 503');
      reported = reason;
      return 'unavailable';
    }
  }
}
