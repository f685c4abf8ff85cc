/** SHA-256 of a list of texts, base64url; the parts cannot run into each other. */

import { hash } from 'node:crypto';

export function fingerprint(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
