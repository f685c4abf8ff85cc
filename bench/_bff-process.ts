/** The built BFF as an operator runs it, `vestibule serve` with the log at the default level. */

import { join } from 'node:path';
import { startMeasured, type MeasuredProcess } from './_measured-process.ts';

export const COOKIE_SECRET = 'a cookie secret that is thirty-two bytes long or more';

const COMMAND = join(import.meta.dirname, '../../packages/bff/bin/vestibule.js');

/** Counted, and never reached. */
const HIGH_LIMITS = 'posts=100000000,sync=100000000,other=100000000';

export interface BffOptions {
  /** As `VESTIBULE_STORE`. */
  readonly store: string;
  readonly serviceUrl: string;
}

export function startBff({ store, serviceUrl }: BffOptions): Promise<MeasuredProcess> {
  return startMeasured({
    args: [COMMAND, 'serve'],
    env: {
      VESTIBULE_SERVICE_URL: serviceUrl,
      VESTIBULE_PUBLIC_KEY: 'fca519c9211a4022abaed1915abffd11',
      VESTIBULE_SECRET_KEY: '88bb61a451cf4796859df6f0eeec5249',
      VESTIBULE_FORUMS: 'news',
      VESTIBULE_PUBLIC_URL: 'https://www.example.com/vestibule',
      VESTIBULE_COOKIE_SECRETS: COOKIE_SECRET,
      VESTIBULE_STORE: store,
      VESTIBULE_RATE_LIMITS: HIGH_LIMITS,
      // The load exceeds the default limits; the benchmark measures admitted requests.
      VESTIBULE_SERVICE_MAX_IN_FLIGHT: '256',
      VESTIBULE_SERVICE_MAX_QUEUED: '2000',
      VESTIBULE_SERVICE_QUEUE_TIMEOUT_MS: '10000',
      VESTIBULE_CONFIG: join(import.meta.dirname, '_posts-config.ts'),
      PORT: '0',
    },
  });
}
