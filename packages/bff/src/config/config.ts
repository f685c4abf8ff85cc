/** The checked configuration. `load.ts` reads environment and file, `settings.ts` has the rules. */

import type * as z from 'zod';
import { configSchema, settings } from './settings.ts';
import type { PostSettings, ValidationSettings } from './types.ts';

/** All settings as a publisher writes them; strict about types and names. `settings.md` has a sentence for each. */
export interface VestibuleConfig extends Readonly<Omit<z.input<typeof configSchema>, 'validation' | 'posts'>> {
  readonly validation?: ValidationSettings | undefined;
  readonly posts?: PostSettings | undefined;
}

/** The settings after the check, with their defaults. */
export type Config = Readonly<z.output<typeof configSchema>> & {
  readonly allowedOrigins: readonly string[];
  /** `allowedOrigins` and the origin of `publicUrl`, without duplicates. */
  readonly origins: readonly string[];
  readonly redirectUri: string;
};

/** Value of a setting whose source could not be read: the fault of the source is the only one. */
export const UNREAD = Symbol('unread');

/** The configuration is incomplete or wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** One sentence per fault: the setting and its rule, never the value. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is not usable:\n${faults.join('\n')}`);
    this.faults = faults;
  }
}

/** @param nameOf what the caller calls a setting @param known faults of the sources @throws {ConfigError} with every fault */
export function parseConfig(input: unknown, nameOf = (setting: string) => setting, known: readonly string[] = []): Config {
  const { data: config, error } = configSchema.safeParse(input, { reportInput: true });
  const faults = new Set([...known, ...error?.issues.flatMap((issue) => faultsOf(issue, nameOf)) ?? []]);
  if (!config || faults.size > 0) throw new ConfigError([...faults]);
  const ownOrigin = new URL(config.publicUrl).origin;
  const allowedOrigins = config.allowedOrigins ?? [ownOrigin];
  return {
    ...config,
    allowedOrigins,
    origins: [...new Set([...allowedOrigins, ownOrigin])],
    redirectUri: config.redirectUri ?? `${config.publicUrl}/sync/return`,
  };
}

function faultsOf(issue: z.core.$ZodIssue, nameOf: (setting: string) => string): string[] {
  const [setting, ...rest] = issue.path;
  if (issue.input === UNREAD) return [];
  if (setting === undefined && issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${nameOf(key)}: is not a setting`);
  const name = setting === undefined ? 'configuration' : rest.reduce<string>(memberName, nameOf(String(setting)));
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${memberName(name, key)}: is not a setting`);
  const missing = issue.input === undefined && rest.length === 0 ? settings[setting as keyof typeof settings] : undefined;
  return [`${name}: ${missing ? `is required; ${issue.message}. ${missing.sentence}` : issue.message}`];
}

function memberName(name: string, member: PropertyKey): string {
  if (typeof member === 'number') return `${name}, item ${member + 1}`;
  return `${name}${/, item \d+$/.test(name) ? ', ' : '.'}${String(member)}`;
}
