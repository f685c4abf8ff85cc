/** Reads the settings of a process: the environment over the configuration file. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../input.ts';
import { proxyFaults } from '../lib/proxy.ts';
import { parseConfig, UNREAD, type Config, type VestibuleConfig } from './config.ts';
import { settings, type Setting } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const CONFIG_VARIABLE = 'VESTIBULE_CONFIG';

const table: Readonly<Record<string, Setting>> = settings;

/** The variable of a setting; the setting's own name if it has none. */
export function variableOf(name: string): string {
  return (Object.hasOwn(table, name) ? table[name]?.variable : undefined) ?? name;
}

/** A sentence for each `VESTIBULE_` variable that is not a setting, such as a misspelt one. Kubernetes adds some for a Service of
 *  that name. */
export function unknownVariables(environment: Environment = process.env): readonly string[] {
  const known = new Set([CONFIG_VARIABLE, ...Object.keys(table).map(variableOf)]);
  return Object.keys(environment).filter((name) => name.startsWith('VESTIBULE_') && !known.has(name.replace(/_FILE$/, '')))
    .filter((name) => !/_SERVICE_(?:HOST|PORT)|_PORT_\d+_(?:TCP|UDP)/.test(name) && !isServiceLink(environment[name])).sort()
    .map((name) => `${name}: is not a setting and has no effect; check its spelling`);
}

function isServiceLink(text = ''): boolean {
  return /^(?:tcp|udp):\/\//.test(text);
}

/** A variable or a file that cannot be read. The message has nothing of its content, which may be secret. */
class SourceError extends Error {}

/** Types a configuration module and returns its argument, with the settings that it has. Those that it leaves out come from the
 *  environment. One signature: of several, the compiler would report a wrong hook once each. */
export function defineConfig<Name extends keyof VestibuleConfig>(
  config: Pick<VestibuleConfig, Name>,
): Pick<VestibuleConfig, Name> {
  return config;
}

/** The checked configuration of a process. @throws {ConfigError} with every fault, by the names of variables */
export async function readConfig(environment?: Environment): Promise<Config> {
  const { settings, faults } = await readSettings(environment);
  return parseConfig(settings, variableOf, faults);
}

/** The settings of the environment and of the configuration file, as `vestibule serve` reads them.
 *  @throws {ConfigError} with every fault, by the names of variables */
export async function loadConfig(environment?: Environment): Promise<VestibuleConfig> {
  const { settings, faults } = await readSettings(environment);
  parseConfig(settings, variableOf, faults);
  return settings as unknown as VestibuleConfig;
}

/** Reads the environment and the configuration file without checking the settings.
 *  @returns settings by their names in a configuration file, and one sentence per source that could not be read */
export async function readSettings(
  environment: Environment = process.env,
): Promise<{ settings: Record<string, unknown>; faults: string[] }> {
  const faults = proxyFaults(environment);
  const report = (error: unknown): void => {
    if (!(error instanceof SourceError)) throw error;
    faults.push(error.message);
  };
  const values: Record<string, unknown> = {};
  for (const [name, { variable, read }] of Object.entries(table)) {
    try {
      const text = variable === undefined ? undefined : valueOf(environment, variable);
      if (text !== undefined) values[name] = read(text);
    } catch (error) {
      report(error);
      values[name] = UNREAD;
    }
  }
  try {
    const path = valueOf(environment, CONFIG_VARIABLE);
    const file = path === undefined ? {} : await readConfigFile(path);
    return { settings: { ...file, ...values }, faults };
  } catch (error) {
    report(error);
    const unread = Object.fromEntries(Object.keys(table).map((name) => [name, UNREAD]));
    return { settings: { ...unread, ...values }, faults };
  }
}

/** The text of a variable, or of the file that `…_FILE` names, without byte order mark and line ends. @throws {SourceError} */
function valueOf(environment: Environment, variable: string): string | undefined {
  const given = isServiceLink(environment[variable]) ? undefined : environment[variable] || undefined;
  const name = `${variable}_FILE`;
  const path = environment[name] || undefined;
  if (path === undefined) return valueIn(variable, given ?? '') || undefined;
  if (given !== undefined) throw new SourceError(`${variable}: is set twice; unset ${variable} or ${name}`);
  const text = valueIn(name, readText(name, path));
  if (text === '') throw new SourceError(`${name}: the file is empty; write the value into it`);
  return text;
}

function valueIn(name: string, given: string): string {
  const text = given.replace(/^\ufeff/, '').replace(/[\r\n]+$/, '');
  if (/[\0\ufffd]/.test(text)) throw new SourceError(`${name}: is not UTF-8, perhaps UTF-16; save it as UTF-8`);
  if (/^(["']).*\1$/s.test(text)) throw new SourceError(`${name}: is in quotes; remove them`);
  return text;
}

function readText(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new SourceError(`${name}: the file cannot be read; check its path and permissions`);
  }
}

async function readConfigFile(path: string): Promise<object> {
  const content = path.endsWith('.json') ? parseJson(readText(CONFIG_VARIABLE, path)) : await importDefault(path);
  if (!isObject(content)) throw new SourceError(`${CONFIG_VARIABLE}: must contain an object, a module as its default export`);
  const { $schema: _, ...members } = content;
  return members;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const [position = ''] = / \(line \d+ column \d+\)$/.exec((error as Error).message) ?? [];
    throw new SourceError(`${CONFIG_VARIABLE}: the file is not valid JSON${position}`);
  }
}

async function importDefault(path: string): Promise<unknown> {
  readText(CONFIG_VARIABLE, path);
  try {
    const module = await import(pathToFileURL(resolve(path)).href) as { readonly default?: unknown };
    return module.default;
  } catch (error) {
    const { code, name } = error instanceof Error ? error as NodeJS.ErrnoException : {};
    const reason = [code, name].find((text) => /^[A-Z]\w{0,63}$/.test(text ?? '')) ?? 'an exception';
    throw new SourceError(`${CONFIG_VARIABLE}: the module cannot be run (${reason}); "node FILE" shows why; a module is best named .mjs`);
  }
}
