/** The process: arguments and environment in, exit status out. Prints errors as sentences, one per line. */

import { CommanderError } from 'commander';
import { ConfigError } from './config/config.ts';
import { CommandError, exitStatus } from './cli/command.ts';
import { createProgram } from './cli/program.ts';

process.exitCode = await run(process.argv.slice(2));

/** @returns the exit status */
async function run(args: readonly string[]): Promise<number> {
  let status: number = exitStatus.ok;
  const program = createProgram((exitStatus) => { status = exitStatus; });
  try {
    await program.parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' });
    return status;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
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
