/** Descriptors and memory of processes, and bytes in the buffers of connections, from `/proc`. */

import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 100;

/** Open descriptors, sockets included. */
export async function descriptorsOf(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** The child processes of a process. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter((child) => child !== '').map(Number);
}

/** The end of a connection over loopback that connected. */
export interface ClientEnd {
  /** IPv4. */
  readonly localAddress: string;
  readonly localPort: number;
  readonly remotePort: number;
}

/** Bytes that the server has sent and the client has not read, in the buffers of both sockets. */
export async function unreadBytesOf({ localAddress, localPort, remotePort }: ClientEnd): Promise<number> {
  const hex = (number: number, digits: number) => number.toString(16).toUpperCase().padStart(digits, '0');
  // The kernel prints addresses in the byte order of the machine.
  const address = localAddress.split('.').map((part) => hex(Number(part), 2)).reverse().join('');
  const [client, server] = [`${address}:${hex(localPort, 4)}`, `:${hex(remotePort, 4)}`];
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')));
  return tables.join('\n').split('\n').reduce((sum, line) => {
    if (!line.includes(client)) return sum;
    const [, local = '', remote = '', , queues = ''] = line.trim().split(/\s+/);
    const [sent = 0, received = 0] = queues.split(':').map((bytes) => parseInt(bytes, 16));
    if (local.endsWith(client) && remote.endsWith(server)) return sum + received;
    return local.endsWith(server) && remote.endsWith(client) ? sum + sent : sum;
  }, 0);
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
