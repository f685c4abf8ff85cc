/** Why a command cannot go on, in a sentence for the person at the terminal. Names no value that is secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitStatus: number;

  constructor(message: string, exitStatus: number) {
    super(message);
    this.exitStatus = exitStatus;
  }
}
