/** A key for `Idempotency-Key`: 32 hexadecimal digits. `crypto.randomUUID` needs a secure context. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
