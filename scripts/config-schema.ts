/**
 * Writes `config.schema.json`, the JSON form of the configuration for editors. Types, rules and defaults come from
 * `config-schema.ts`, descriptions from the doc comments of `vestibule-config.ts`. `npm pack` of the BFF runs it.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';
import * as z from 'zod';
import { configSchema } from '../packages/bff/src/config/config-schema.ts';
import { variableOf } from '../packages/bff/src/config/env.ts';

export const schemaFile = new URL('../packages/bff/config.schema.json', import.meta.url);

interface JsonSchema {
  description?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  required?: string[];
  maximum?: number;
  [keyword: string]: unknown;
}

/** Returns the content of the file. */
export function configSchemaText(): string {
  const schema = z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const { posts: _, ...properties } = schema.properties ?? {};
  const { validation, rateLimits } = properties;
  for (const hook of ['validate', 'onAccepted']) delete validation?.properties?.[hook];
  delete schema.required;
  removeIntegerLimits(schema);
  const comments = interfaceComments();
  describe(properties, comments.get('VestibuleConfig'));
  describe(validation?.properties, comments.get('ValidationConfig'));
  describe(validation?.properties?.['fields']?.items?.properties, comments.get('ValidationField'));
  for (const limits of rateLimits?.anyOf ?? []) describe(limits.properties, comments.get('RateLimits'));
  const variables = Object.keys(properties).filter((name) => variableOf(name) !== name).map((name) => [variableOf(name), {
    description: `The same as ${name}. A text is converted as in the environment.`,
  }]);
  return `${JSON.stringify({
    ...schema,
    title: 'Vestibule configuration',
    description: 'Settings of the BFF. The environment overrides this file and may contain the settings that it leaves out.',
    properties: { $schema: { type: 'string' }, ...properties, ...Object.fromEntries(variables) },
  }, null, 2)}\n`;
}

/** Doc comments by interface and member. */
function interfaceComments(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const url = new URL('../packages/bff/src/config/vestibule-config.ts', import.meta.url);
  const source = ts.createSourceFile('vestibule-config.ts', readFileSync(url, 'utf8'), ts.ScriptTarget.Latest, true);
  return new Map(source.statements.filter(ts.isInterfaceDeclaration).map(({ name, members }) => [
    name.text,
    new Map(members.flatMap((member) => (
      member.name && ts.isIdentifier(member.name) ? [[member.name.text, commentText(ts.getJSDocCommentsAndTags(member)[0])]] : []
    ))),
  ]));
}

function commentText(comment: ts.JSDoc | ts.JSDocTag | undefined): string {
  return ts.getTextOfJSDocComment(comment?.comment)?.replaceAll('**', '').replace(/\s+/g, ' ') ?? '';
}

function describe(properties: Record<string, JsonSchema> | undefined, comments: ReadonlyMap<string, string> | undefined): void {
  for (const [name, property] of Object.entries(properties ?? {})) {
    const comment = comments?.get(name);
    if (!comment) throw new Error(`${name} has no doc comment`);
    property.description = comment;
  }
}

/** Removes the limits of JavaScript's integers, which zod adds to each whole number. */
function removeIntegerLimits(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  for (const child of Object.values(schema)) {
    if (typeof child === 'object' && child !== null) removeIntegerLimits(child as JsonSchema);
  }
}

if (import.meta.main) writeFileSync(schemaFile, configSchemaText());
