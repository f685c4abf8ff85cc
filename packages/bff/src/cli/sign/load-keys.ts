/** Loads the publisher's keys from the environment or the configuration file; other settings may be missing. */

import { ConfigError } from '../../config/config.ts';
import { variableOf } from '../../config/env.ts';
import { readSettings } from '../../config/load-config.ts';

export interface Keys {
  readonly publicKey: string;
  readonly secretKey: string;
}

/** @throws {ConfigError} */
export async function loadKeys(): Promise<Keys> {
  const { settings, faults } = await readSettings();
  const { publicKey, secretKey } = settings;
  const missing = Object.entries({ publicKey, secretKey })
    .filter(([, key]) => typeof key !== 'string')
    .map(([name]) => `${variableOf(name)}: is required`);
  if (faults.length + missing.length > 0) throw new ConfigError([...faults, ...missing]);
  return { publicKey: publicKey as string, secretKey: secretKey as string };
}
