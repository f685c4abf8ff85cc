/** The checked configuration. `env.ts` turns strings into values, `config-schema.ts` checks the values. */

import type * as z from 'zod';
import { configSchema } from './config-schema.ts';

type Checked = z.output<typeof configSchema>;

/** The configuration with every default filled in. */
export type Config = Readonly<Omit<Checked, 'adminPort' | 'allowedOrigins' | 'embeddedUrl' | 'profileDays' | 'redirectUri' | 'widgetArchive'>> & {
  readonly adminPort: number | undefined;
  readonly widgetArchive: string | undefined;
  readonly allowedOrigins: readonly string[];
  readonly embeddedUrl: string | undefined;
  readonly profileDays: number | undefined;
  readonly redirectUri: string;
};

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

/** @param nameOf what the caller calls a setting @throws {ConfigError} with every fault */
export function parseConfig(input: unknown, nameOf: (setting: string) => string = (setting) => setting): Config {
  const result = configSchema.safeParse(input, { reportInput: true });
  if (!result.success) throw new ConfigError([...new Set(result.error.issues.flatMap((issue) => faultsOf(issue, nameOf)))]);
  const config = result.data;
  return {
    ...config,
    adminPort: config.adminPort,
    widgetArchive: config.widgetArchive,
    allowedOrigins: config.allowedOrigins ?? [new URL(config.publicUrl).origin],
    embeddedUrl: config.embeddedUrl,
    profileDays: config.profileDays,
    redirectUri: config.redirectUri ?? `${config.publicUrl}/sync/return`,
  };
}

function faultsOf(issue: z.core.$ZodIssue, nameOf: (setting: string) => string): string[] {
  const [setting, ...rest] = issue.path.map(String);
  const path = setting === undefined ? [] : [nameOf(setting), ...rest];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${[...path, key].join('.')}: is not a setting`);
  const isMissing = issue.input === undefined && path.length === 1;
  return [`${path.length === 0 ? 'configuration' : path.join('.')}: ${isMissing ? `is required; ${issue.message}` : issue.message}`];
}
