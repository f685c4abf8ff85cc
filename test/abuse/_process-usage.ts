/** Descriptors and memory of a process, from `/proc`. */

import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 100;

/** Open descriptors, sockets included. */
export async function descriptorsOf(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** Resident memory in MiB. */
export async function residentMiBOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Measures until `isEnough`, or until `withinMs` are over. @returns the last figure */
export async function settle(
  measure: () => Promise<number>, isEnough: (figure: number) => boolean, withinMs: number,
): Promise<number> {
  const endsAt = performance.now() + withinMs;
  for (;;) {
    const figure = await measure();
    if (isEnough(figure) || performance.now() >= endsAt) return figure;
    await pause(POLL_MS);
  }
}
