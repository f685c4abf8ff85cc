/** Whose `X-Forwarded-For` is believed: nobody's, everybody's, that of so many hops, or of these addresses. What passes here
 *  Express's `trust proxy` takes. */

import { isIP } from 'node:net';
import * as z from 'zod';

/** Ranges that Express knows by name. */
const NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

const RULE = 'must be true, false, how many proxies there are, or their addresses, such as loopback, 10.0.0.0/8';

const address = z.string().refine(isAddress, RULE);

export const trustProxySchema = z.union([
  z.boolean(),
  z.number().int().nonnegative(),
  z.string().refine((text) => text.split(',').every((item) => isAddress(item.trim())), RULE),
  z.array(address),
], RULE).default(false);

function isAddress(text: string): boolean {
  if (NAMES.includes(text)) return true;
  const [ip = '', prefix, ...more] = text.split('/');
  const version = isIP(ip);
  if (version === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= (version === 4 ? 32 : 128));
}
