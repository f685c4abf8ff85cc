/** Standard output of commands. A closed pipe (`… | head`) ends the process successfully. */

import { exitStatus } from './exit-status.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitStatus.ok);
});

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
