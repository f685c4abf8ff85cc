/** `config.schema.json`: the JSON form of the configuration for editors, made from the zod schema that checks it and from
 *  the doc comments that explain it. Run it after either has changed:
 *
 *  node --conditions=@vestibule/source packages/bff/scripts/config-schema.ts
 */

import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { configSchema } from '../src/config/config.ts';
import { variableOf } from '../src/config/env.ts';

export const schemaFile = new URL('../config.schema.json', import.meta.url);

interface JsonSchema {
  description?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  required?: string[];
  maximum?: number;
  [keyword: string]: unknown;
}

/** Functions have no JSON. */
const HOOKS = ['validate', 'onAccepted'];

/** The text of the file. */
export function configSchemaText(): string {
  const schema = z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const properties = schema.properties ?? {};
  for (const hook of HOOKS) delete properties['validation']?.properties?.[hook];
  delete schema.required;
  withoutBounds(schema);
  describe(properties, commentsOf('config.ts', 'service-limits.ts'));
  describe(properties['validation']?.properties, commentsOf('config.ts'));
  describe(properties['validation']?.properties?.['fields']?.items?.properties, commentsOf('fields.ts'));
  for (const limits of properties['rateLimits']?.anyOf ?? []) describe(limits.properties, commentsOf('rate-limits.ts'));
  const variables = Object.keys(properties).filter((name) => variableOf(name) !== name).map((name) => [variableOf(name), {
    description: `As ${name}; a text is read as the environment's is.`,
  }]);
  return `${JSON.stringify({
    ...schema,
    title: 'Vestibule configuration',
    description: 'Settings of the BFF. The environment wins over this file and may hold what is missing here.',
    properties: { $schema: { type: 'string' }, ...properties, ...Object.fromEntries(variables) },
  }, null, 2)}\n`;
}

/** Doc comments by the member that they stand before. */
function commentsOf(...files: readonly string[]): ReadonlyMap<string, string> {
  const source = files.map((file) => readFileSync(new URL(`../src/config/${file}`, import.meta.url), 'utf8')).join('\n');
  return new Map([...source.matchAll(/^ +\/\*\* (.+?) \*\/\n +(\w+):/gm)].map(([, comment = '', member = '']) => [member, comment]));
}

function describe(properties: Record<string, JsonSchema> | undefined, comments: ReadonlyMap<string, string>): void {
  for (const [name, property] of Object.entries(properties ?? {})) {
    const comment = comments.get(name);
    if (comment === undefined) throw new Error(`${name} has no doc comment of one line`);
    property.description = comment;
  }
}

/** Every whole number is bounded by what JavaScript can count to, which helps nobody. */
function withoutBounds(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  for (const child of Object.values(schema)) {
    if (typeof child === 'object' && child !== null) withoutBounds(child as JsonSchema);
  }
}

if (import.meta.main) writeFileSync(schemaFile, configSchemaText());
