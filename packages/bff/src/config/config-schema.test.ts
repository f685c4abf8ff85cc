import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { configSchemaText, schemaFile } from '../../scripts/config-schema.ts';
import { validConfig } from './_valid-config.ts';
import { configSchema, parseConfig } from './config.ts';
import { variableOf } from './env.ts';

interface Property {
  readonly description?: string;
  readonly default?: unknown;
}

const text = readFileSync(schemaFile, 'utf8');
const { properties } = JSON.parse(text) as { properties: Readonly<Record<string, Property>> };

describe('config.schema.json', () => {
  it('is what scripts/config-schema.ts makes of the schema', () => {
    assert.equal(text, configSchemaText());
  });

  it('has every setting, by its own name and by its variable\'s, in words', () => {
    for (const setting of Object.keys(configSchema.shape)) {
      assert.match(properties[setting]?.description ?? '', /\.$/, setting);
      assert.match(properties[variableOf(setting)]?.description ?? '', /\.$/, setting);
    }
  });

  it('has the defaults that hold', () => {
    const config = parseConfig(validConfig()) as Readonly<Record<string, unknown>>;
    const defaults = Object.entries(properties).filter(([, property]) => property.default !== undefined);
    assert.ok(defaults.length > 15);
    for (const [setting, property] of defaults) assert.deepEqual(property.default, config[setting], setting);
  });
});
