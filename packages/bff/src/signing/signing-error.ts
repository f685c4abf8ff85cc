/** The request cannot be signed. The message names the part and the rule, never the value. */
export class SigningError extends TypeError {
  override readonly name = 'SigningError';
}
