/** Writes the two forms of the table of settings that the package of the BFF contains: `config.schema.json` for editors, and
 *  `settings.md` for people. `npm pack` runs it. */

import { writeFileSync } from 'node:fs';
import * as z from 'zod';
import { settingsPage } from '../packages/bff/src/cli/settings-page.ts';
import { configSchema, settings } from '../packages/bff/src/config/settings.ts';

interface JsonSchema {
  description?: string;
  properties?: Record<string, JsonSchema>;
  maximum?: number;
  required?: unknown;
  [keyword: string]: unknown;
}

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

const folder = new URL('../packages/bff/', import.meta.url);
writeFileSync(new URL('config.schema.json', folder), `${text}\n`);
writeFileSync(new URL('settings.md', folder), settingsPage());
