/** `vestibule check`: prints one line per finding, and runs every check even if one fails. `serve` logs the local findings. */

import { access, constants, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { ConfigError, type Config } from '../../config/config.ts';
import { unknownVariables, type Environment } from '../../config/env.ts';
import { loadConfig } from '../../config/load-config.ts';
import { ARCHIVE_FAULT, widgetDirectory } from '../../http/static-files.ts';
import { exitStatus, print } from '../command.ts';
import { checkAddresses } from './addresses.ts';
import { findingsOf, lineOf, type Finding } from './finding.ts';
import { checkKeys, checkRegistration } from './keys.ts';
import { checkService } from './service.ts';
import { checkStore } from './store.ts';

type Check = (config: Config) => Promise<readonly Finding[]> | readonly Finding[];

const checks: readonly Check[] = [localFindings, checkWidget, checkStore, checkService, checkKeys, checkRegistration];

/** @returns the exit status */
export async function check(environment?: Environment): Promise<number> {
  let hasFailed = false;
  try {
    for await (const finding of findings(await loadConfig(environment))) {
      print(lineOf(finding));
      hasFailed ||= finding.status === 'fail';
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) print(lineOf(findingsOf('settings').fail(fault)));
    return exitStatus.config;
  }
  return hasFailed ? exitStatus.failure : exitStatus.ok;
}

export async function* findings(config: Config): AsyncIterable<Finding> {
  for (const runCheck of checks) yield* await runCheck(config);
}

/** Findings that need neither the service nor the store. */
export function localFindings(config: Config): readonly Finding[] {
  return [...checkSettings(config), ...checkAddresses(config)];
}

/** Logs what `check` would warn about or fail. */
export function logLocalFindings(config: Config, log: Logger): void {
  for (const { status, name, message } of localFindings(config)) {
    if (status !== 'ok') log[status === 'fail' ? 'error' : 'warn']({ check: name }, message);
  }
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

async function checkWidget({ widgetArchive }: Config): Promise<readonly Finding[]> {
  const { ok, fail } = findingsOf('widget');
  try {
    const { size } = await stat(join(widgetDirectory(), 'widget.js.br'));
    if (widgetArchive !== undefined && !await isWritable(widgetArchive)) return [fail(ARCHIVE_FAULT)];
    return [ok(`widget.js, ${size} bytes compressed`)];
  } catch {
    return [fail('the built files are missing: reinstall @vestibule/bff; in a checkout run "npm run build"')];
  }
}

/** `serve` creates a directory that is missing. */
function isWritable(directory: string): Promise<boolean> {
  const isUsable = async (path: string): Promise<boolean> => (
    (await stat(path)).isDirectory() && access(path, constants.R_OK | constants.W_OK).then(() => true, () => false)
  );
  return isUsable(directory).catch(() => isUsable(dirname(directory))).catch(() => false);
}
