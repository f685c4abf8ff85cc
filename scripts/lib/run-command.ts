/** Runs a child process in its own process group, so that its children end with it. A signal that ends this process ends the
 *  group first. */

import { spawn } from 'node:child_process';
import { repositoryRoot } from './paths.ts';

export interface RunOptions {
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: root of the repository. */
  readonly cwd?: string;
  /** Milliseconds after which the group is killed. Default: none. */
  readonly timeoutMs?: number;
  /** Whether the output is shown or collected. Default: `show`. */
  readonly output?: 'show' | 'collect';
}

export interface CommandResult {
  /** `null` if a signal ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** Both streams, if collected. */
  readonly output: string;
}

/** Runs `command` without standard input. Rejects only if it cannot be started. */
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

/** Runs a script with this runtime. */
export function runScript(script: string, args: readonly string[] = [], options: RunOptions = {}): Promise<CommandResult> {
  return runCommand(process.execPath, [script, ...args], options);
}
