/** The strict policy that every page of the site is sent under. */

import type { SiteOptions } from './options.ts';

export function securityHeaders({ vestibuleUrl, serviceUrl }: SiteOptions): Record<string, string> {
  const vestibule = URL.canParse(vestibuleUrl) ? ` ${new URL(vestibuleUrl).origin}` : '';
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      `script-src 'self'${vestibule}`,
      "style-src 'self'",
      "img-src 'self' data:",
      `connect-src 'self'${vestibule}`,
      `form-action 'self' ${new URL(serviceUrl).origin}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
    'Referrer-Policy': 'strict-origin',
    'X-Content-Type-Options': 'nosniff',
  };
}
