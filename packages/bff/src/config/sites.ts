/** One configuration for each site. Without `sites` in the configuration file there is one. Otherwise each entry is one, and the
 *  rest of the file and the environment are defaults of all. A value of an entry replaces that of the defaults as a whole. */

import * as z from 'zod';
import { isObject } from '../lib/json.ts';
import { ConfigError, parseConfig, type Config, type VestibuleConfig } from './config.ts';
import { readMembers, readSettings, variableOf, type Environment } from './load.ts';
import { settings } from './settings.ts';

/** Settings of the process: no entry has them. */
export const PROCESS_SETTINGS = [
  'store', 'trustProxy', 'host', 'port', 'logLevel', 'adminPort', 'requestTimeoutMs', 'maxConnections', 'drainDelayMs', 'drainTimeoutMs',
] as const satisfies readonly (keyof typeof settings)[];

/** Settings that tell a site from the others: no entry inherits them. */
const OWN_SETTINGS = [
  'publicUrl', 'redirectUri', 'allowedOrigins', 'embeddedUrl',
] as const satisfies readonly (keyof typeof settings)[];

type SiteSettings = Omit<VestibuleConfig, typeof PROCESS_SETTINGS[number]>;

/** `secretKeyFile` and the like name a file with the value. */
type ValueFiles<Settings> = {
  readonly [Name in Exclude<keyof Settings & string, 'validation' | 'posts' | 'site'> as `${Name}File`]?: string | undefined;
};

/** An entry of `sites`: every setting except those of the process. */
export type SiteConfig = Partial<SiteSettings> & Pick<VestibuleConfig, 'publicUrl'> & {
  /** Part of cookies and of the keys of the store. Default: the host name of `publicUrl`. `''` keeps the records of an
   *  installation that had no `sites`. */
  readonly key?: string | undefined;
} & ValueFiles<SiteSettings>;

/** A configuration file: the settings of the process and defaults of its sites, where it has several. */
export interface ConfigFile extends Partial<VestibuleConfig>, ValueFiles<VestibuleConfig> {
  /** Publications with public URLs of their own in one process, told apart by their host names. */
  readonly sites?: readonly SiteConfig[] | undefined;
}

type CompleteFile = VestibuleConfig & Omit<ConfigFile, keyof VestibuleConfig>;

/** Types a configuration module and returns its argument, with the settings that it has. Those that it leaves out come from the
 *  environment. One signature: of several, the compiler would report a wrong hook once each. */
export function defineConfig<Name extends keyof ConfigFile>(config: Pick<CompleteFile, Name>): Pick<CompleteFile, Name> {
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
  const entries = sites.map(readEntry);
  /** Whether the defaults have the setting, or would have it: no entry sets it. */
  const isOfAll = (name: string): boolean => (
    !isOneOf(OWN_SETTINGS, name) && (Object.hasOwn(inherited, name) || !entries.some(({ values }) => Object.hasOwn(values, name)))
  );
  const faults = new Set([...sourceFaults, ...entries.flatMap((entry) => entry.faults)]);
  const configs = entries.flatMap(({ label, key, values }): readonly Config[] => {
    const nameOf = (name: string): string => (
      !Object.hasOwn(values, name) && isOfAll(name) ? variableOf(name) : `${label}, ${name}`
    );
    try {
      const config = parseConfig({ ...inherited, ...values }, nameOf);
      const { hostname } = new URL(config.publicUrl);
      return [{ ...config, siteKey: key ?? hostname, siteHost: hostname }];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const fault of error.faults) faults.add(fault);
      return [];
    }
  });
  for (const fault of configs.flatMap(faultsBeside)) faults.add(fault);
  const [first, ...rest] = configs;
  if (!first || faults.size > 0) throw new ConfigError([...faults]);
  return [first, ...rest];
}

/** The values of an entry, and the faults that the schema does not see. */
function readEntry({ key, ...entry }: Values, index: number) {
  const url = settings.publicUrl.schema.safeParse(entry['publicUrl']);
  const label = url.success ? labelOf({ publicUrl: url.data }) : `sites, item ${index + 1}`;
  const { values, faults } = readMembers(entry, (member) => `${label}, ${member}`);
  const parsedKey = keySchema.optional().safeParse(key);
  if (!parsedKey.success) faults.push(`${label}, key: ${KEY_RULE}`);
  for (const name of PROCESS_SETTINGS) {
    if (!(name in values)) continue;
    faults.push(`${label}, ${name}: belongs to the process; set it beside sites`);
    delete values[name];
  }
  return { label, key: parsedKey.data, values, faults };
}

function labelOf({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return `site ${publicUrl}`;
}

/** What a site has in common with an earlier one and must not. */
function faultsBeside(site: Config, index: number, sites: readonly Config[]): readonly string[] {
  const earlier = sites.slice(0, index);
  if (earlier.some(({ siteHost }) => siteHost === site.siteHost)) return [`${labelOf(site)}, publicUrl: another entry has this host name`];
  return earlier.some(({ siteKey }) => siteKey === site.siteKey) ? [`${labelOf(site)}, key: another entry has it`] : [];
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
