/** A server process under measurement: start time, CPU time, memory. Runs at high priority where the system allows it. */

import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endProcess } from '../lib/end-process.ts';

export interface MeasuredProcess extends AsyncDisposable {
  /** On 127.0.0.1. */
  readonly port: number;
  /** From the start of the process to its first line of output, in ms. */
  readonly startMs: number;
  /** User and system time so far, in ms; the system counts in steps of 10. */
  cpuMs(): number;
  /** Resident anonymous memory, in bytes. */
  privateBytes(): number;
}

export interface ProcessOptions {
  /** Of `node`. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Of `/proc/PID/stat`; 100 on every Linux that Node.js runs on. */
const TICKS_A_SECOND = 100;

const POLL_MS = 2;

const PLAIN = join(import.meta.dirname, '_plain-process.ts');

/** Writes standard output to a file, as a service manager does. Resolves at the first line with a `port`. */
export async function startMeasured({ args, env = {} }: ProcessOptions): Promise<MeasuredProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'vestibule-bench-'));
  const output = join(directory, 'output');
  const descriptor = openSync(output, 'a');
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: directory,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...env },
    stdio: ['ignore', descriptor, 'inherit'],
  });
  closeSync(descriptor);
  prefer(child.pid);
  const port = await portOf(child, output);
  return {
    port,
    startMs: performance.now() - startedAt,
    cpuMs: () => cpuMsOf(child.pid),
    privateBytes: () => privateBytesOf(child.pid),
    async [Symbol.asyncDispose]() {
      await endProcess(child);
      rmSync(directory, { recursive: true });
    },
  };
}

/** A process of `_plain-process.ts`. */
export function startPlain(name: 'express' | 'upstream'): Promise<MeasuredProcess> {
  return startMeasured({ args: [PLAIN, name] });
}

/** Raises the priority of a process. */
export function prefer(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_HIGH);
  } catch {}
}

async function portOf(child: ChildProcess, output: string): Promise<number> {
  for (;;) {
    const port = /"port":(\d+)[^\n]*\n/.exec(readFileSync(output, 'utf8'))?.[1];
    if (port !== undefined) return Number(port);
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${child.spawnargs.join(' ')} exited before it listened`);
    await pause(POLL_MS);
  }
}

function cpuMsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [userTicks, systemTicks] = fields.slice(11, 13).map(Number);
  return ((userTicks ?? 0) + (systemTicks ?? 0)) / TICKS_A_SECOND * 1000;
}

function privateBytesOf(pid: number | undefined): number {
  return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
