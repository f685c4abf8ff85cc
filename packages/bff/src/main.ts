/** The process: arguments and environment in, exit status out. Prints errors as sentences, one per line. */

import { CommanderError } from 'commander';
import { ConfigError } from './config/config.ts';
import { unknownVariables } from './config/load.ts';
import { CommandError, exitStatus } from './cli/command.ts';
import { createProgram } from './cli/program.ts';

const args = process.argv.slice(2);
try {
  await createProgram().parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' });
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  if (error instanceof ConfigError) {
    for (const line of [...error.faults, ...unknownVariables()]) process.stderr.write(`${line}\n`);
    return exitStatus.config;
  }
  if (error instanceof CommandError) {
    process.stderr.write(`vestibule: ${error.message}\n`);
    return error.exitStatus;
  }
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.ok : exitStatus.usage;
  throw error;
}
