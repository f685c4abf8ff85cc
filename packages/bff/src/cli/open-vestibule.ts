/** Opens the store and creates an instance for a command. */

import type { Logger } from 'pino';
import { ConfigError, type Config } from '../config/config.ts';
import { openStore } from '../store/open-store.ts';
import { createFromConfig, type VestibuleProcess } from '../vestibule.ts';

/** @throws {ConfigError} if the store cannot be opened */
export async function openVestibule(config: Config, log: Logger): Promise<VestibuleProcess> {
  const store = await openStore(config.store, { log, waitReplicas: config.redisWaitReplicas }).catch((error: unknown) => {
    throw new ConfigError([`VESTIBULE_STORE: ${error instanceof Error ? error.message : 'the store cannot be opened'}`]);
  });
  return createFromConfig(config, { logger: log, store });
}
