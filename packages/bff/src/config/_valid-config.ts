/** A valid configuration for tests to change. */

import type { VestibuleConfig } from './config.ts';

export const SECRET_KEY = 'secret-key-canary';
export const COOKIE_SECRET = 'cookie-secret-canary-of-32-bytes-and-more';

export function validConfig(changes: Readonly<Record<string, unknown>> = {}): VestibuleConfig {
  return {
    serviceUrl: 'https://comments.example',
    publicKey: 'public-key',
    secretKey: SECRET_KEY,
    forums: ['news', 'sport'],
    publicUrl: 'https://www.example.com/vestibule',
    cookieSecrets: [COOKIE_SECRET],
    ...changes,
  };
}
