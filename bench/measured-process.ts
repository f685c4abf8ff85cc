/** A server process under measurement: its CPU time and memory. Standard output goes to a file, as with a service manager. */

import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../test/lib/end-process.ts';
import { temporaryDirectory } from '../test/lib/temporary-directory.ts';
import { until } from '../test/lib/until.ts';

export interface MeasuredProcess extends AsyncDisposable {
  readonly origin: string;
  /** User and system time so far, in ms; the system counts in steps of 10. */
  cpuMs(): number;
  /** Resident anonymous memory. */
  privateMiB(): number;
}

/** Of `/proc/PID/stat`. */
const TICKS_A_SECOND = 100;

type Environment = Readonly<Record<string, string>>;

/** Resolves at the first line of output with a `port`. @param args of `node` */
export async function startMeasured(args: readonly string[], env: Environment = {}): Promise<MeasuredProcess> {
  const directory = await temporaryDirectory();
  const output = join(directory.path, 'output');
  const descriptor = openSync(output, 'a');
  const child = spawn(process.execPath, args, {
    cwd: directory.path, env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env }, stdio: ['ignore', descriptor, 'inherit'],
  });
  closeSync(descriptor);
  const port = await until(`${args.join(' ')} listens`, () => /"port":(\d+)[^\n]*\n/.exec(readFileSync(output, 'utf8'))?.[1]);
  return {
    origin: `http://127.0.0.1:${port}`,
    cpuMs() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND * 1000;
    },
    privateMiB: () => Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async [Symbol.asyncDispose]() {
      await endProcess(child);
      await directory[Symbol.asyncDispose]();
    },
  };
}
