/** Ends a command with a message for the person at the terminal. The message contains no secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitStatus: number;

  constructor(message: string, exitStatus: number) {
    super(message);
    this.exitStatus = exitStatus;
  }
}
