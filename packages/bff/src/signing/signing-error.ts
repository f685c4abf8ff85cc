/** Something that cannot be signed. Names the part and the rule, never the value. */
export class SigningError extends TypeError {
  override readonly name = 'SigningError';
}
