/** Writes `config.schema.json`, for editors, and `settings.md` into the package of the server, from the table of settings.
 *  `npm run build` runs it. */

import { writeFileSync } from 'node:fs';
import * as z from 'zod';
import { configSchema, settings } from '../packages/bff/src/config/settings.ts';
import { settingsDocument } from './settings-document.ts';

interface JsonSchema {
  description?: string;
  properties?: Record<string, JsonSchema>;
  maximum?: number;
  required?: unknown;
  [keyword: string]: unknown;
}

writeFileSync(new URL('../packages/bff/config.schema.json', import.meta.url), configJsonSchema());
writeFileSync(new URL('../packages/bff/settings.md', import.meta.url), settingsDocument());

function configJsonSchema(): string {
  const schema = z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const { posts: _, ...properties } = schema.properties ?? {};
  for (const hook of ['validate', 'onAccepted']) delete properties['validation']?.properties?.[hook];
  for (const [name, property] of Object.entries(properties)) {
    property.description = settings[name as keyof typeof settings].sentence;
  }
  // JavaScript's integers, which zod adds to each whole number; the environment may have what a file lacks.
  const text = JSON.stringify({ ...schema, title: 'Vestibule configuration', properties: { $schema: { type: 'string' }, ...properties } }, (key, value: unknown) => (
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER) || key === 'required' ? undefined : value
  ), 2);
  return `${text}\n`;
}
