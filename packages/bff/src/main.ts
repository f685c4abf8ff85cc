/** The process: arguments and environment in, exit status out. */

import { exitStatus } from './cli/command.ts';
import { runProgram } from './cli/program.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') printError(`vestibule: standard output takes nothing (${error.code})`);
  process.exit(error.code === 'EPIPE' ? exitStatus.ok : exitStatus.failure);
});

process.exitCode = await runProgram(process.argv.slice(2), { print, printError });

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}
