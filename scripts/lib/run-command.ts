/** A child process with an end: it leads a process group of its own, so that what it started ends with it. A signal
 *  that ends this process ends the group first. */

import { spawn } from 'node:child_process';
import { repositoryRoot } from './paths.ts';

export interface RunOptions {
  /** Added to this process's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the repository's root. */
  readonly cwd?: string;
  /** Milliseconds after which the whole group is killed. Default: none. */
  readonly timeoutMs?: number;
  /** What becomes of its output. Default: shown. */
  readonly output?: 'show' | 'collect';
}

export interface CommandResult {
  /** `null` where a signal ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** Both streams, where they were collected. */
  readonly output: string;
}

/** Runs `command` without a terminal to read from. Rejects only where it cannot be started. */
export function runCommand(command: string, args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  const stream = options.output === 'collect' ? 'pipe' : 'inherit';
  const child = spawn(command, args, {
    cwd: options.cwd ?? repositoryRoot,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', stream, stream],
    detached: true,
  });

  let timedOut = false;
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => {
    timedOut = true;
    signalGroup('SIGKILL');
  }, options.timeoutMs);

  let received: NodeJS.Signals | undefined;
  process.on('SIGINT', passOn);
  process.on('SIGTERM', passOn);

  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => { output += text; });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => { output += text; });

  child.on('error', (error) => settle(() => reject(error)));
  child.on('close', (exitCode) => settle(() => resolve({ exitCode, timedOut, output })));
  return promise;

  function settle(how: () => void): void {
    clearTimeout(timer);
    process.off('SIGINT', passOn);
    process.off('SIGTERM', passOn);
    if (received) process.kill(process.pid, received);
    else how();
  }

  function passOn(signal: NodeJS.Signals): void {
    received = signal;
    signalGroup(signal);
  }

  function signalGroup(signal: NodeJS.Signals): void {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Runs one of the repository's own or its dependencies' scripts with this runtime. */
export function runScript(script: string, args: readonly string[] = [], options: RunOptions = {}): Promise<CommandResult> {
  return runCommand(process.execPath, [script, ...args], options);
}
