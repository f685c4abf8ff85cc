/** Common to all commands: exit statuses, the error that ends a command, standard output, opening an instance. */

import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { ConfigError, type Config } from '../config/config.ts';
import type { Environment } from '../config/load.ts';
import { openStore } from '../store/open.ts';
import { StoreUnavailableError } from '../store/store.ts';
import type { OpenVestibule } from '../vestibule.ts';

export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string };

/** Exit statuses (sysexits.h). After a later `SIGINT` or `SIGQUIT`: 128 plus the signal's number. */
export const exitStatus = {
  ok: 0,
  /** A check failed, or the process crashed. */
  failure: 1,
  usage: 64,
  /** The port is in use, or the store is not available: starting again may help. */
  unavailable: 69,
  /** The configuration is wrong, or its store cannot be opened. */
  config: 78,
} as const;

/** Ends a command with a message for the person at the terminal. The message contains no secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitStatus: number;

  constructor(message: string, status: number = exitStatus.failure) {
    super(message);
    this.exitStatus = status;
  }
}

/** What a command reads and prints; `serve` logs to the standard output of its process. */
export interface CommandContext {
  /** Default: the environment of the process. */
  readonly environment?: Environment;
  /** To standard output. */
  readonly print: (line: string) => void;
}

/** Opens the store, and an instance on it.
 *  @throws {CommandError} if it is not available at the moment @throws {ConfigError} if it cannot be opened */
export async function openConfigured(config: Config, log: Logger): Promise<OpenVestibule> {
  const store = await openStore(config.store).catch((error: unknown) => {
    const message = `VESTIBULE_STORE: ${(error as Error).message}`;
    throw error instanceof StoreUnavailableError ? new CommandError(message, exitStatus.unavailable) : new ConfigError([message]);
  });
  const { openVestibule } = await import('../vestibule.ts'); // most of the start
  return openVestibule(config, { logger: log, store });
}
