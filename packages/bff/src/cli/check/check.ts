/** `vestibule check`: prints one line per finding, and runs every check even if one fails. */

import { ConfigError, type Config } from '../../config/config.ts';
import { unknownVariables } from '../../config/env.ts';
import { loadConfig } from '../../config/load-config.ts';
import { exitStatus, print } from '../command.ts';
import { checkAddresses } from './addresses.ts';
import { findingsOf, lineOf, type Finding } from './finding.ts';
import { checkKeys } from './keys.ts';
import { checkService } from './service.ts';
import { checkStore } from './store.ts';
import { checkWidget } from './widget.ts';

type Check = (config: Config) => Promise<readonly Finding[]> | readonly Finding[];

const checks: readonly Check[] = [checkSettings, checkAddresses, checkWidget, checkStore, checkService, checkKeys];

/** @returns the exit status */
export async function check(): Promise<number> {
  let config: Config;
  try {
    config = await loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) print(lineOf(findingsOf('settings').fail(fault)));
    return exitStatus.config;
  }
  let hasFailed = false;
  for (const runCheck of checks) {
    for (const finding of await runCheck(config)) {
      print(lineOf(finding));
      hasFailed ||= finding.status === 'fail';
    }
  }
  return hasFailed ? exitStatus.failure : exitStatus.ok;
}

function checkSettings({ forums, validation: { fields, ...validation }, posts }: Config): readonly Finding[] {
  const hooks = Object.entries({ ...validation, ...posts }).filter(([, hook]) => hook !== undefined).map(([name]) => name);
  const parts = [count(forums.length, 'forum'), count(fields.length, 'question'), ...hooks];
  const { ok, warn } = findingsOf('settings');
  return [ok(parts.join(', ')), ...unknownVariables().map((name) => warn(`${name} is not a setting and has no effect; check its spelling`))];
}

function count(length: number, noun: string): string {
  return `${length} ${noun}${length === 1 ? '' : 's'}`;
}
