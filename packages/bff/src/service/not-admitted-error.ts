/** The call was not made: the service has enough to do (`busy`), or does not answer at present (`open`). */
export class NotAdmittedError extends Error {
  override readonly name = 'NotAdmittedError';
  readonly reason: 'busy' | 'open';

  constructor(reason: 'busy' | 'open') {
    super(reason === 'busy' ? 'As many calls are under way as may be.' : 'The circuit breaker is open.');
    this.reason = reason;
  }
}
