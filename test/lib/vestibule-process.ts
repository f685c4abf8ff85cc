/** `vestibule` as a child process: its output, its address, its end; and its commands in the process of the tests. */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../packages/bff/src/cli/program.ts';

/** The published build. */
export const COMMAND = fileURLToPath(new URL('../../packages/bff/bin/vestibule.js', import.meta.url));

export interface ProcessOptions {
  readonly args?: readonly string[];
  /** Added to `nodeEnvironment`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The command of an installed package. Default: the build of this repository. */
  readonly command?: string;
  /** Arguments of `node`. */
  readonly nodeArgs?: readonly string[];
}

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type LogLine = Readonly<Record<string, unknown>>;

export class VestibuleProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  /** Standard output, line by line. */
  readonly lines: string[] = [];
  #stderr = '';
  readonly #ended: Promise<readonly [number | null, NodeJS.Signals | null]>;
  readonly #waiting = new Set<() => void>();

  constructor({ args = [], env = {}, cwd, command, nodeArgs = [] }: ProcessOptions = {}) {
    this.child = spawn(process.execPath, [...nodeArgs, command ?? COMMAND, ...args], {
      env: { ...nodeEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd !== undefined && { cwd }),
    });
    const { stdout, stderr } = this.child;
    if (!stdout || !stderr) throw new Error('the process has no output');
    createInterface(stdout).on('line', (line) => {
      this.lines.push(line);
      for (const check of this.#waiting) check();
    });
    stderr.setEncoding('utf8').on('data', (chunk: string) => { this.#stderr += chunk; });
    this.#ended = once(this.child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  }

  /** Resolves with the first log line whose `field` is `value`, earlier ones included. Rejects if the process ends without it. */
  async logged(value: unknown, field = 'msg'): Promise<LogLine> {
    const { promise, resolve } = Promise.withResolvers<LogLine>();
    let next = 0;
    const check = () => {
      for (; next < this.lines.length; next += 1) {
        const line = JSON.parse(this.lines[next] as string) as LogLine;
        if (line[field] === value) resolve(line);
      }
    };
    this.#waiting.add(check);
    check();
    const dead = this.end().then(({ stderr }) => {
      throw new Error(`vestibule ended without a line of ${field} "${String(value)}":\n${stderr}${this.lines.at(-1) ?? ''}`);
    });
    return Promise.race([promise, dead]).finally(() => this.#waiting.delete(check));
  }

  /** Resolves with `http://127.0.0.1:PORT` when the process listens. */
  async origin(): Promise<string> {
    const { host, port } = await this.logged('listening');
    return `http://${String(host)}:${String(port)}`;
  }

  /** Resolves when the process has ended. */
  async end(): Promise<Ended> {
    const [status, signal] = await this.#ended;
    return { status, signal, stdout: this.lines.join('\n'), stderr: this.#stderr };
  }

  kill(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill('SIGKILL');
  }
}

/** Variables that every child process inherits. */
export function nodeEnvironment(): Readonly<Record<string, string>> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}

/** Runs a command that ends by itself, in this process: a start costs a second of CPU time. A proxy for calls to the service
 *  would be that of this process. */
export async function runCommand(
  { args = [], env = {} }: Pick<ProcessOptions, 'args' | 'env'>,
): Promise<Omit<Ended, 'signal'>> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const status = await runProgram(args, {
    environment: { ...nodeEnvironment(), ...env },
    print: (line) => { stdout.push(line); },
    printError: (line) => { stderr.push(`${line}\n`); },
  });
  return { status, stdout: stdout.join('\n'), stderr: stderr.join('') };
}

/** Runs a command in a process of its own to its end. */
export async function runVestibule(options: ProcessOptions): Promise<Ended> {
  await using running = new VestibuleProcess(options);
  return await running.end();
}
