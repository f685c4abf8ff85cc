/** One configuration for each site. Without `sites` in the configuration file there is one. Otherwise each entry is one, and the
 *  rest of the file and the environment are defaults of all. A value of an entry replaces that of the defaults as a whole. */

import * as z from 'zod';
import { isObject } from '../lib/json.ts';
import { ConfigError, parseConfig, UNREAD, type Config } from './config.ts';
import { readSettings, readValueFile, SourceError, variableOf, type Environment } from './load.ts';
import { settings } from './settings.ts';
import type { VestibuleConfig } from './vestibule-config.ts';

/** Settings of the process: no entry has them. */
export const PROCESS_SETTINGS = [
  'store', 'trustProxy', 'host', 'port', 'logLevel', 'adminPort', 'requestTimeoutMs', 'maxConnections', 'drainDelayMs', 'drainTimeoutMs',
] as const satisfies readonly (keyof typeof settings)[];

/** Settings that tell a site from the others: no entry inherits them. */
const OWN_SETTINGS = [
  'publicUrl', 'redirectUri', 'allowedOrigins', 'embeddedUrl',
] as const satisfies readonly (keyof typeof settings)[];

type SiteSettings = Omit<VestibuleConfig, typeof PROCESS_SETTINGS[number]>;

/** An entry of `sites`: any setting that is not of the process. `secretKeyFile` and the like name a file with the value. */
export type SiteConfig = Partial<SiteSettings> & Pick<VestibuleConfig, 'publicUrl'> & {
  /** Part of cookies and of the keys of the store. Default: the host name of `publicUrl`. `''` keeps the records of an
   *  installation that had no `sites`. */
  readonly key?: string | undefined;
} & { readonly [Name in Exclude<keyof SiteSettings, 'validation' | 'posts' | 'site'> as `${Name}File`]?: string | undefined };

/** A configuration file: the settings of the process and defaults of its sites, where it has several. */
export interface ConfigFile extends Partial<VestibuleConfig> {
  /** Publications with public URLs of their own in one process, told apart by their host names. */
  readonly sites?: readonly SiteConfig[] | undefined;
}

/** Types a configuration module and returns its argument. Settings that it leaves out come from the environment. */
export function defineConfig(config: VestibuleConfig): VestibuleConfig;
export function defineConfig(config: Partial<VestibuleConfig>): Partial<VestibuleConfig>;
export function defineConfig(config: ConfigFile): ConfigFile;
export function defineConfig(config: ConfigFile): ConfigFile {
  return config;
}

const KEY_RULE = 'must be a text of at most 100 letters, digits, ".", "-" and "_", such as www.example.com';
export const keySchema = z.string(KEY_RULE).regex(/^[\w.-]{0,100}$/, KEY_RULE);

/** The configurations of a process, which have the settings of the process in common. @throws {ConfigError} with every fault */
export async function loadSites(environment?: Environment): Promise<readonly [Config, ...Config[]]> {
  const { settings: { sites, ...defaults }, inFile, faults } = await readSettings(environment);
  if (sites === undefined) return [parseConfig(defaults, variableOf, faults)];
  const nameOf = (name: string): string => (inFile.includes(name) ? name : variableOf(name));
  const ignored = OWN_SETTINGS.filter((name) => name in defaults).map(nameOf);
  const [first, ...rest] = parseSites(sites, defaults, faults);
  return [{ ...first, ignored }, ...rest];
}

/** The settings of the environment and of the configuration file, as `vestibule serve` reads them.
 *  @throws {ConfigError} with every fault, by the names of variables */
export async function loadConfig(environment?: Environment): Promise<VestibuleConfig> {
  const { settings, faults } = await readSettings(environment);
  parseConfig(settings, variableOf, faults);
  return settings as unknown as VestibuleConfig;
}

type Values = Readonly<Record<string, unknown>>;

function parseSites(sites: unknown, defaults: Values, sourceFaults: readonly string[]): readonly [Config, ...Config[]] {
  if (!Array.isArray(sites) || sites.length === 0 || !sites.every(isObject)) {
    throw new ConfigError([...sourceFaults, 'sites: must be a list of objects, each with publicUrl']);
  }
  const inherited = Object.fromEntries(Object.entries(defaults).filter(([name]) => !isOneOf(OWN_SETTINGS, name)));
  const faults = new Set(sourceFaults);
  const entries = sites.map((entry, i) => readEntry(entry, i, faults));
  const configs = entries.flatMap(({ values, label, key }) => {
    // What no entry has is missing in the defaults.
    const isOfEntry = (name: string) => name in values || isOneOf(OWN_SETTINGS, name)
      || (!(name in inherited) && entries.some((other) => name in other.values));
    try {
      const config = parseConfig({ ...inherited, ...values }, (name) => (isOfEntry(name) ? `${label}, ${name}` : variableOf(name)));
      const { hostname } = new URL(config.publicUrl);
      return [{ label, config: { ...config, siteKey: key ?? hostname, siteHost: hostname } }];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const fault of error.faults) faults.add(fault);
      return [];
    }
  });
  for (const [i, { label, config }] of configs.entries()) {
    const others = configs.slice(0, i).map((earlier) => earlier.config);
    if (others.some(({ siteHost }) => siteHost === config.siteHost)) faults.add(`${label}, publicUrl: another entry has this host name`);
    else if (others.some(({ siteKey }) => siteKey === config.siteKey)) faults.add(`${label}, key: another entry has it`);
  }
  const [first, ...rest] = configs.map(({ config }) => config);
  if (!first || faults.size > 0) throw new ConfigError([...faults]);
  return [first, ...rest];
}

/** @param faults receives those of the entry that the schema does not see */
function readEntry({ key, ...entry }: Values, index: number, faults: Set<string>) {
  const url = settings.publicUrl.schema.safeParse(entry['publicUrl']);
  const label = url.success ? `site ${url.data}` : `sites, item ${index + 1}`;
  const parsedKey = keySchema.optional().safeParse(key);
  if (!parsedKey.success) faults.add(`${label}, key: ${KEY_RULE}`);
  const values: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(entry)) {
    const name = member.replace(/File$/, '');
    const isFile = name !== member;
    const setting = name in settings ? settings[name as keyof typeof settings] : undefined;
    if (!setting || (isFile && setting.variable === undefined)) faults.add(`${label}, ${member}: is not a setting`);
    else if (isOneOf(PROCESS_SETTINGS, name)) faults.add(`${label}, ${member}: belongs to the process; set it beside sites`);
    else if (!isFile) values[name] = value;
    else if (name in entry) faults.add(`${label}, ${name}: is set twice; remove ${name} or ${member}`);
    else {
      try {
        values[name] = setting.read(readValueFile(`${label}, ${member}`, String(value)));
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        faults.add(error.message);
        values[name] = UNREAD;
      }
    }
  }
  return { values, label, key: parsedKey.data };
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
