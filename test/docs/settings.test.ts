/** The table of settings, compared with the schema. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configSchema } from '../../packages/bff/src/config/config-schema.ts';
import { settingOf } from '../../packages/bff/src/config/env.ts';
import { readDocument } from './_documents.ts';

interface SettingRow {
  readonly variable: string | undefined;
  readonly setting: string | undefined;
  readonly words: string;
}

async function settingsIn(document: string): Promise<readonly SettingRow[]> {
  const text = await readDocument(document);
  return [...text.matchAll(/^\| (?:`([A-Z_]+)`)? ?\| (?:`(\w+)`)? ?\| (.+) \|$/gm)].map(([, variable, setting, words = '']) => (
    { variable, setting, words }
  ));
}

const schemas = configSchema.shape;
const settings = Object.keys(schemas);

/** The value of a setting that is not set; fails if it is required. */
function unset(setting: string) {
  return schemas[setting as keyof typeof schemas].safeParse(undefined);
}

describe('the table of settings in the README of the BFF', async () => {
  const rows = await settingsIn('packages/bff/README.md');

  it('has every setting, and no other', () => {
    assert.deepEqual(rows.flatMap(({ setting }) => setting ?? []).toSorted(), settings.toSorted());
  });

  it('is the only one', async () => {
    assert.deepEqual((await settingsIn('README.md')).filter(({ variable }) => variable !== undefined), []);
  });

  it('names the variable of each setting', () => {
    for (const { variable, setting } of rows) {
      if (variable !== undefined && variable !== 'VESTIBULE_CONFIG') assert.equal(settingOf(variable), setting);
    }
  });

  it('states the defaults that are numbers', () => {
    const stated = rows.flatMap(({ setting, words }) => {
      const number = /(?:; |^)(\d+)$/.exec(words)?.[1];
      return setting === undefined || number === undefined ? [] : [[setting, Number(number)] as const];
    });
    assert.ok(stated.length >= 15);
    for (const [setting, number] of stated) assert.equal(unset(setting).data, number, setting);
  });

  it('states what is required', () => {
    for (const { setting, words } of rows) {
      if (setting === undefined) continue;
      assert.equal(/\brequired$/.test(words), !unset(setting).success, setting);
    }
  });
});
