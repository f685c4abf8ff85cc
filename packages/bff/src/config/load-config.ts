/** The configuration of a process: the environment over the configuration file over the defaults. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError, parseConfig, type Config, type VestibuleConfig } from './config.ts';
import { readEnvironment, readSetting, settingOf, variableOf, type Environment } from './env.ts';
import { fileFault } from './file-fault.ts';

/** Types a configuration module; returns what it is given. What is left out is for the environment to say. */
export function defineConfig(config: VestibuleConfig): VestibuleConfig;
export function defineConfig(config: Partial<VestibuleConfig>): Partial<VestibuleConfig>;
export function defineConfig(config: Partial<VestibuleConfig>): Partial<VestibuleConfig> {
  return config;
}

export interface RawSettings {
  /** By their names in a configuration file, the environment over the file; not checked. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** One sentence for each source that could not be read. */
  readonly faults: readonly string[];
}

/** What the environment and the configuration file say. */
export async function readSettings(environment?: Environment): Promise<RawSettings> {
  const { settings, configPath, faults } = readEnvironment(environment);
  const fileFaults = [...faults];
  const fromFile = configPath === undefined ? {} : await readConfigFile(configPath, fileFaults);
  return { settings: { ...fromFile, ...settings }, faults: fileFaults };
}

/** @throws {ConfigError} with every fault of the environment and the file. */
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

async function readConfigFile(path: string, faults: string[]): Promise<Readonly<Record<string, unknown>>> {
  const url = pathToFileURL(resolve(path)).href;
  try {
    const content: unknown = path.endsWith('.json')
      ? JSON.parse(await readFile(path, 'utf8'))
      : (await import(url) as { default?: unknown }).default;
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return bySettingNames(content);
    faults.push('VESTIBULE_CONFIG: the file must hold (a module: export by default) an object');
  } catch (error) {
    faults.push(`VESTIBULE_CONFIG: ${fileFault(error, url)}`);
  }
  return {};
}

/** A file may name a setting as the environment does. */
function bySettingNames(content: object): Readonly<Record<string, unknown>> {
  const { $schema: _, ...members } = content as Record<string, unknown>;
  return Object.fromEntries(Object.entries(members).map(([name, value]) => {
    const setting = settingOf(name);
    if (setting === undefined) return [name, value];
    return [setting, typeof value === 'string' ? readSetting(setting, value) : value];
  }));
}
