/** Environment of a BFF process that uses the emulated service. */

import type { EmulatedService } from '../service/index.ts';

export const COOKIE_SECRET = 'a cookie secret that is thirty-two bytes long or more';

/** On any free port, with the default store unless `settings` name another. */
export function bffEnvironment(
  { url, publicKey, secretKey }: Pick<EmulatedService, 'url' | 'publicKey' | 'secretKey'>,
  publicUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return {
    VESTIBULE_SERVICE_URL: url,
    VESTIBULE_PUBLIC_KEY: publicKey,
    VESTIBULE_SECRET_KEY: secretKey,
    VESTIBULE_FORUMS: 'news',
    VESTIBULE_PUBLIC_URL: publicUrl,
    VESTIBULE_COOKIE_SECRETS: COOKIE_SECRET,
    PORT: '0',
    ...settings,
  };
}
