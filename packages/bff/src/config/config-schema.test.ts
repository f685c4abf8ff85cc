import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import express from 'express';
import { configSchemaText, schemaFile } from '../../scripts/config-schema.ts';
import { validConfig } from './_valid-config.ts';
import { configSchema } from './config-schema.ts';
import { parseConfig } from './config.ts';
import { variableOf } from './env.ts';

interface Property {
  readonly description?: string;
  readonly default?: unknown;
}

describe('configSchema', () => {
  const { trustProxy } = configSchema.shape;
  const accepts = (value: unknown): boolean => trustProxy.safeParse(value).success;

  it('accepts each trustProxy that Express accepts', () => {
    for (const value of [
      true, false, 0, 2, 'loopback', 'loopback, 10.0.0.0/8', 'uniquelocal,linklocal', '192.0.2.1', '2001:db8::/32', '::1', ['loopback', '192.0.2.0/24'], [],
    ]) {
      assert.ok(accepts(value), String(value));
      express().set('trust proxy', value);
    }
  });

  it('refuses a trustProxy that Express refuses or reads as another address', () => {
    for (const value of [
      '', 'nonsense', 'true', '1', 'proxy.example.com', 'loopback,', '10.0.0.0/0', '10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0', 'all',
      ['loopback, 10.0.0.0/8'], [1], -1, 1.5, null, {},
    ]) assert.ok(!accepts(value), JSON.stringify(value));
  });
});

describe('config.schema.json', () => {
  const text = readFileSync(schemaFile, 'utf8');
  const { properties } = JSON.parse(text) as { properties: Readonly<Record<string, Property>> };

  it('is the output of scripts/config-schema.ts', () => {
    assert.equal(text, configSchemaText());
  });

  it('describes every setting that JSON can express, by its name and by its variable', () => {
    for (const setting of Object.keys(configSchema.shape).filter((name) => name !== 'posts')) {
      assert.match(properties[setting]?.description ?? '', /\.$/, setting);
      assert.match(properties[variableOf(setting)]?.description ?? '', /\.$/, setting);
    }
  });

  it('states the defaults', () => {
    const config = parseConfig(validConfig()) as Readonly<Record<string, unknown>>;
    const defaults = Object.entries(properties).filter(([, property]) => property.default !== undefined);
    assert.ok(defaults.length > 15);
    for (const [setting, property] of defaults) assert.deepEqual(property.default, config[setting], setting);
  });
});
