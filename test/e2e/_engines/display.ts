/** A screen that nobody sees, for a browser without a mode for that: Xvfb on the first free display. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { endProcess } from '../../lib/end-process.ts';

export interface Display extends AsyncDisposable {
  /** Value of `DISPLAY`. */
  readonly name: string;
}

export async function startDisplay(): Promise<Display> {
  const server = spawn(process.env['XVFB_PATH'] ?? '/usr/bin/Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await Promise.race([
    once(server.stdio[3] as Readable, 'data'),
    once(server, 'exit').then(() => { throw new Error('Xvfb has ended'); }),
  ]) as [Buffer];
  return {
    name: `:${number.toString().trim()}`,
    [Symbol.asyncDispose]: () => endProcess(server),
  };
}
