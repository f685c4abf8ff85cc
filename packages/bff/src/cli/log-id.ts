/** `vestibule log-id USER_ID`: what stands for a user in the log, under each cookie secret, newest first. */

import { loadConfig } from '../config/load-config.ts';
import { createLogId } from '../lib/identifiers.ts';
import { exitStatus, print } from './command.ts';

/** @throws {ConfigError} */
export async function printLogId(userId: string): Promise<number> {
  const { cookieSecrets } = await loadConfig();
  for (const secret of cookieSecrets) print(createLogId(secret)(userId));
  return exitStatus.ok;
}
