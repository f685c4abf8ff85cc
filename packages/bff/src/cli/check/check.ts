/** `vestibule check`: one line a finding, each with what to do. The checks do not stop at the first fault. */

import { ConfigError, type Config } from '../../config/config.ts';
import { unknownVariables } from '../../config/env.ts';
import { loadConfig } from '../../config/load-config.ts';
import { exitStatus } from '../exit-status.ts';
import { print } from '../print.ts';
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
  for (const one of checks) {
    for (const finding of await one(config)) {
      print(lineOf(finding));
      hasFailed ||= finding.status === 'fail';
    }
  }
  return hasFailed ? exitStatus.failure : exitStatus.ok;
}

function checkSettings({ forums, validation: { fields, validate, onAccepted } }: Config): readonly Finding[] {
  const hooks = [validate && 'validate', onAccepted && 'onAccepted'].filter((name) => name !== undefined);
  const parts = [counted(forums.length, 'forum'), counted(fields.length, 'question'), ...hooks];
  const { ok, warn } = findingsOf('settings');
  return [ok(parts.join(', ')), ...unknownVariables().map((name) => warn(`${name} is no setting and changes nothing: is it misspelt?`))];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
