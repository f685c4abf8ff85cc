/** Loads the configuration of a process: the environment over the configuration file over the defaults. */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../lib/json.ts';
import { hookFiles } from '../hooks.ts';
import { ConfigError, parseConfig, UNREAD, type Config } from './config.ts';
import { settings, type Setting } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const CONFIG_VARIABLE = 'VESTIBULE_CONFIG';

const table: Readonly<Record<string, Setting>> = settings;

/** The variable of a setting; the setting's own name if it has none. */
export function variableOf(name: string): string {
  return table[name]?.variable ?? name;
}

function settingOf(variable: string): string | undefined {
  return Object.keys(table).find((name) => table[name]?.variable === variable);
}

/** Names of `VESTIBULE_` variables that are not settings, such as misspelt ones. Kubernetes adds some for a Service of that
 *  name. */
export function unknownVariables(environment: Environment = process.env): readonly string[] {
  const isKnown = (variable: string) => variable === CONFIG_VARIABLE || settingOf(variable) !== undefined;
  return Object.keys(environment).filter((name) => name.startsWith('VESTIBULE_') && !isKnown(name.replace(/_FILE$/, '')))
    .filter((name) => !/_SERVICE_(?:HOST|PORT)|_PORT(?:$|_\d+_)/.test(name)).sort();
}

export interface LoadedSettings {
  /** By their names in a configuration file. A variable that is not set is absent. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** One sentence per source that could not be read. */
  readonly faults: readonly string[];
}

/** Reads the environment and the configuration file without checking the settings. */
export async function readSettings(environment: Environment = process.env): Promise<LoadedSettings> {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { variable, read }] of Object.entries(table)) {
    const known = faults.length;
    const text = variable === undefined ? undefined : valueOf(environment, variable, faults);
    if (text !== undefined) values[name] = read(text);
    else if (faults.length > known) values[name] = UNREAD;
  }
  const path = valueOf(environment, CONFIG_VARIABLE, faults);
  if (path === undefined) return { settings: values, faults };
  try {
    return { settings: { ...await readConfigFile(path), ...values }, faults };
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    const unread = Object.fromEntries(Object.keys(table).map((name) => [name, UNREAD]));
    return { settings: { ...unread, ...values }, faults: [...faults, `${CONFIG_VARIABLE}: ${error.message}`] };
  }
}

/** The text of a variable, or of the file that `…_FILE` names, without a byte order mark and line ends. */
function valueOf(environment: Environment, variable: string, faults: string[]): string | undefined {
  const fault = (name: string, sentence: string) => { faults.push(`${name}: ${sentence}`); };
  // Kubernetes sets such values for a Service of that name.
  const given = /^(?:tcp|udp):\/\//.test(environment[variable] ?? '') ? undefined : environment[variable] || undefined;
  const path = environment[`${variable}_FILE`] || undefined;
  if (path !== undefined && given !== undefined) return fault(variable, `is set twice; unset ${variable} or ${variable}_FILE`) as undefined;
  const name = path === undefined ? variable : `${variable}_FILE`;
  let text: string | undefined;
  try {
    text = path === undefined ? given : readFileSync(path, 'utf8');
  } catch {
    return fault(name, 'the file cannot be read; check its path and permissions') as undefined;
  }
  const value = text?.replace(/^\ufeff/, '').replace(/[\r\n]+$/, '');
  if (path !== undefined && value === '') return fault(name, `the file is empty; write the value into it, or unset ${name}`) as undefined;
  if (value !== undefined && /[\0\ufffd]/.test(value)) return fault(name, 'is not UTF-8, perhaps UTF-16; save it as UTF-8') as undefined;
  if (value !== undefined && /^(["']).*\1$/s.test(value)) return fault(name, 'is in quotes; remove them') as undefined;
  return value || undefined;
}

/** @throws {ConfigError} with every fault of the environment and the file */
export async function loadConfig(environment?: Environment): Promise<Config> {
  const { settings, faults } = await readSettings(environment);
  try {
    const config = parseConfig(settings, variableOf);
    if (faults.length > 0) throw new ConfigError(faults);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError) || error.faults === faults) throw error;
    throw new ConfigError([...new Set([...faults, ...error.faults])]);
  }
}

/** The configuration file cannot be used. The message repeats nothing of the file: it may contain secrets. */
class ConfigFileError extends Error {}

/** @throws {ConfigFileError} */
async function readConfigFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  const url = pathToFileURL(resolve(path)).href;
  const reading: Promise<unknown> = path.endsWith('.json')
    ? readFile(path, 'utf8').then((text) => JSON.parse(text) as unknown)
    : import(url).then((module: { readonly default?: unknown }) => module.default);
  const content = await reading.catch((error: unknown) => {
    throw new ConfigFileError(fileFault(error, path, url));
  });
  if (!isObject(content)) {
    throw new ConfigFileError(path.endsWith('.json')
      ? 'the file must contain an object, such as { "forums": ["news"] }'
      : 'the module must export an object, such as: export default { forums: [\'news\'] }');
  }
  for (const hook of Object.values(content).flatMap((part: unknown) => Object.values(part ?? {}) as unknown[])) {
    if (typeof hook === 'function') hookFiles.set(hook, resolve(path));
  }
  return bySettingNames(content);
}

/** A file may also use the variables' names; their texts are read as the environment's are. */
function bySettingNames(content: object): Readonly<Record<string, unknown>> {
  const { $schema: _, ...members } = content as Record<string, unknown>;
  return Object.fromEntries(Object.entries(members).map(([name, value]) => {
    const setting = settingOf(name);
    if (setting === undefined) return [name, value];
    return [setting, typeof value === 'string' ? table[setting]?.read(value) : value];
  }));
}

/** Says why the file cannot be read or run, and what to do. */
function fileFault(error: unknown, path: string, url: string): string {
  if (!(error instanceof Error)) return 'the file cannot be read or run';
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || ('url' in error && error.url === url)) return 'there is no such file; a relative path starts at the working directory';
  if (code === 'EACCES') return 'the user of this process may not read the file';
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') return 'the file name must end in .mjs, .js, .ts or .json';
  if (code === 'ERR_MODULE_NOT_FOUND') return importFault(error);
  if (path.endsWith('.json')) return `the file is not valid JSON${jsonPosition(error)}`;
  if (error instanceof SyntaxError) return syntaxFault(error, path);
  return `the file cannot be run${throwingLine(error, url)}; "node FILE" shows the message`;
}

function importFault({ message }: Error): string {
  const [, name] = /^Cannot find (?:package|module) '([@\w./-]{1,200})'/.exec(message) ?? [];
  if (name === undefined) return 'the file imports a module that is not found';
  if (/^[./]/.test(name)) return `the file imports ${name}, which is not found`;
  const otherwise = name === '@vestibule/bff' ? ', or export the object without defineConfig; a global installation is not found' : '';
  return `the file imports ${name}, which is not installed there; run "npm install ${name}" in the file's folder or a folder above it${otherwise}`;
}

function syntaxFault({ message }: SyntaxError, path: string): string {
  if (path.endsWith('.js') && /Unexpected token 'export'|import statement outside a module/.test(message)) {
    return 'the file is loaded as CommonJS; rename it to .mjs, or set "type": "module" in its package.json';
  }
  return 'the file, or a file that it imports, has a syntax error; "node --check FILE" shows the line; a module is best named .mjs';
}

/** V8 names the position last. Its message quotes the text before it. */
function jsonPosition({ message }: Error): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(message) ?? [];
  return line === undefined ? '' : `, see line ${line}, column ${column}`;
}

function throwingLine({ name, stack = '' }: Error, url: string): string {
  const frame = stack.split('\n').find((line) => line.startsWith('    at ') && line.includes(`${url}:`));
  const [, line] = /:(\d+):\d+\)?$/.exec(frame ?? '') ?? [];
  return line === undefined ? '' : `: line ${line} threw ${/^\w*Error$/.test(name) ? name : 'an error'}`;
}
