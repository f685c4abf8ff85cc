/** An instance for a command. Its store is the one part that can be missing: for good, which the configuration has to answer
 *  for, or for the moment, so that whoever supervises the process should start it again. */

import type { Logger } from 'pino';
import { ConfigError, type Config } from '../config/config.ts';
import { openStore } from '../store/open-store.ts';
import { assembleVestibule, type Vestibule } from '../vestibule.ts';
import { CommandError } from './command-error.ts';
import { exitStatus } from './exit-status.ts';

/** @throws {ConfigError} where the store cannot be used; {@link CommandError} where it cannot be reached */
export async function openVestibule(config: Config, log: Logger): Promise<Vestibule> {
  const store = await openStore(config.store, log).catch((error: unknown) => {
    const fault = `VESTIBULE_STORE: ${error instanceof Error ? error.message : 'the store cannot be opened'}`;
    throw isPassing(error) ? new CommandError(fault, exitStatus.unavailable) : new ConfigError([fault]);
  });
  return assembleVestibule(config, { log, store });
}

/** A name that is not known is one that is not known yet, where containers start side by side. */
const passingCodes: readonly unknown[] = [
  'ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT',
];

/** What a Redis says while it starts, or runs out of something. */
const PASSING_REPLY = /^(?:LOADING|CLUSTERDOWN|MISCONF|OOM) /;

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return passingCodes.includes(code) || error.name === 'SilenceError' || PASSING_REPLY.test(error.message) || isPassing(error.cause);
}
