/** What an example of a deployment comes to: the configuration that a BFF there starts with, its secrets read from files. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkAddresses } from '../../packages/bff/src/cli/check/addresses.ts';
import type { Finding } from '../../packages/bff/src/cli/check/finding.ts';
import type { Config } from '../../packages/bff/src/config/config.ts';
import { loadConfig } from '../../packages/bff/src/config/load-config.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { instructionOf, parseDockerfile } from './_dockerfile.ts';

export const home = new URL('../../packages/bff/', import.meta.url);

type Environment = Readonly<Record<string, string>>;

/** What stands in each secret of the examples, by its name there. */
export const secrets: Environment = {
  'secret-key': 'the-secret-key',
  'cookie-secrets': 'a-cookie-secret-of-at-least-32-bytes',
  'redis-password': 'the-redis-password',
  'redis-url': 'redis://:the-redis-password@redis:6379',
};

/** The configuration module is the one beside the examples.
 *  @param secretOf the name of the secret that lies at a path there; `undefined` where none does
 *  @throws {ConfigError | Error} where a process with this environment would not start */
export async function configOf(environment: Environment, secretOf: (path: string) => string | undefined): Promise<Config> {
  await using directory = await temporaryDirectory();
  const here: Record<string, string> = { ...environment };
  if (here['VESTIBULE_CONFIG'] !== undefined) here['VESTIBULE_CONFIG'] = fileURLToPath(new URL('deploy/vestibule.config.mjs', home));
  for (const [variable, path] of Object.entries(environment)) {
    if (!variable.endsWith('_FILE')) continue;
    const content = secrets[secretOf(path) ?? ''];
    if (content === undefined) throw new Error(`${variable}: nothing lies at ${path}`);
    here[variable] = join(directory.path, variable);
    await writeFile(here[variable], `${content}\n`);
  }
  return await loadConfig(here);
}

/** What `vestibule check` says against its addresses. */
export function objectionsTo(config: Config): readonly Finding[] {
  return checkAddresses(config).filter(({ status }) => status !== 'ok');
}

/** The environment that the image brings, its user and its port. */
export async function image(): Promise<{ environment: Environment; user: string; port: number; isHealthChecked: boolean }> {
  const stages = parseDockerfile(await readFile(new URL('Dockerfile', home), 'utf8'));
  const said = (name: string) => instructionOf(stages, stages.at(-1), name) ?? '';
  const environment = Object.fromEntries(said('ENV').split(' ').map((pair) => pair.split('=', 2)) as [string, string][]);
  return { environment, user: said('USER'), port: Number(said('EXPOSE')), isHealthChecked: said('HEALTHCHECK') !== '' };
}
