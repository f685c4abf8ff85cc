/** What stands for a user in the log: a keyed hash of the user id, so that a log alone does not name anyone. */

import { createHmac, hkdfSync } from 'node:crypto';

/** @param secret the newest cookie secret: the hashes change with it
 *  @returns 16 characters, base64url */
export function createLogId(secret: string): (userId: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, 'vestibule', 'log id', 32));
  return (userId) => createHmac('sha256', key).update(userId).digest('base64url').slice(0, 16);
}
