/** The table of settings as a JSON schema and as an interface. */

import * as z from 'zod';
import { defaultOf } from '../packages/bff/src/cli/settings-page.ts';
import { keySchema, PROCESS_SETTINGS } from '../packages/bff/src/config/sites.ts';
import { configSchema, settings, type Setting } from '../packages/bff/src/config/settings.ts';

interface JsonSchema {
  description?: string;
  properties?: Record<string, JsonSchema>;
  maximum?: number;
  required?: unknown;
  [keyword: string]: unknown;
}

export function configJsonSchema(): string {
  const schema = z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const { posts: _, ...properties } = schema.properties ?? {};
  for (const hook of ['validate', 'onAccepted']) delete properties['validation']?.properties?.[hook];
  for (const [name, property] of Object.entries(properties)) {
    property.description = settings[name as keyof typeof settings].sentence;
  }
  const ofSites = Object.entries(properties).filter(([name]) => !PROCESS_SETTINGS.some((setting) => setting === name));
  const filesOf = (members: readonly (readonly [string, JsonSchema])[]): Record<string, JsonSchema> => Object.fromEntries(members
    .filter(([name]) => settings[name as keyof typeof settings].variable !== undefined)
    .map(([name]) => [`${name}File`, { type: 'string', description: `File with the value of ${name}.` }]));
  const key = { ...z.toJSONSchema(keySchema, { target: 'draft-7' }), $schema: undefined, description: 'Part of cookies and of the keys of the store.' };
  const sites = {
    type: 'array',
    minItems: 1,
    description: 'Publications with public URLs of their own in one process. The other settings are their defaults.',
    items: {
      type: 'object', properties: { ...Object.fromEntries(ofSites), ...filesOf(ofSites), key }, additionalProperties: false,
    },
  };
  // JavaScript's integers, which zod adds to each whole number; the environment may have what a file lacks.
  const text = JSON.stringify({ ...schema, title: 'Vestibule configuration', properties: { $schema: { type: 'string' }, ...properties, ...filesOf(Object.entries(properties)), sites } }, (key, value: unknown) => (
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) || key === 'required' ? undefined : value
  ), 2);
  return `${text}\n`;
}

/** Settings whose members have doc comments of their own. */
const documented: Readonly<Record<string, string>> = {
  validation: 'ValidationSettings | undefined', posts: 'PostSettings | undefined',
};

export function configInterface(): string {
  const members = (Object.entries(settings) as [string, Setting][]).map(([name, setting]) => {
    const source = setting.variable === undefined ? '' : ` Environment: \`${setting.variable}\`.`;
    const optional = setting.schema.safeParse(undefined).success ? '?' : '';
    return `  /** ${wrapped(setting.sentence + defaultOf(setting) + source).join('\n   *  ')} */
  readonly ${name}${optional}: ${documented[name] ?? `Input['${name}']`};`;
  });
  return `/** Written by scripts/settings.ts from the table of settings.ts. */

import type * as z from 'zod';
import type { configSchema } from './settings.ts';
import type { PostSettings, ValidationSettings } from './types.ts';

type Input = z.input<typeof configSchema>;

/** All settings as a publisher writes them; strict about types and names. */
export interface VestibuleConfig {
${members.join('\n')}
}
`;
}

/** Lines of at most 110 characters. */
function wrapped(text: string): string[] {
  const words = text.match(/(?:`[^`]*`|\S)+/g) ?? [];
  return words.reduce<string[]>((lines, word) => {
    const line = lines.at(-1) ?? '';
    return line === '' || line.length + word.length >= 110 ? [...lines, word] : [...lines.slice(0, -1), `${line} ${word}`];
  }, []);
}
