/** From arguments to an exit status. Whatever ends a command early is told in plain sentences, one a line. */

import { CommanderError } from 'commander';
import { ConfigError } from '../config/config.ts';
import { CommandError } from './command-error.ts';
import { exitStatus } from './exit-status.ts';
import { createProgram } from './program.ts';

/** @returns the exit status */
export async function run(args: readonly string[]): Promise<number> {
  let status: number = exitStatus.ok;
  const program = createProgram((ended) => { status = ended; });
  try {
    await program.parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' });
    return status;
  } catch (error) {
    return tell(error);
  }
}

function tell(error: unknown): number {
  if (error instanceof ConfigError) {
    for (const fault of error.faults) process.stderr.write(`${fault}\n`);
    return exitStatus.config;
  }
  if (error instanceof CommandError) {
    process.stderr.write(`vestibule: ${error.message}\n`);
    return error.exitStatus;
  }
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.ok : exitStatus.usage;
  throw error;
}
