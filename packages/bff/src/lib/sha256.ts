/** SHA-256 of a list of strings, base64url. The list is encoded as JSON, so different lists never hash the same text. */

import { hash } from 'node:crypto';

export function sha256(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
