/** Where a reader may be sent back to after a sync: pages of the allowed origins, and nothing that a browser could read
 *  in another way than this parser does. */

import { ProblemError } from '../http/problem-error.ts';

/** @throws {ProblemError} `untrusted-return-uri` */
export function parseReturnUri(allowedOrigins: readonly string[], text: string): string {
  const url = URL.parse(text);
  const trusted = url !== null
    && text.length <= 4096
    && !/[\s\p{Cc}\p{Cf}\\]/u.test(text)
    && /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text)
    && allowedOrigins.includes(url.origin);
  if (!trusted) throw new ProblemError('untrusted-return-uri', { diagnosis: { origin: url?.origin ?? 'malformed' } });
  return url.href;
}
