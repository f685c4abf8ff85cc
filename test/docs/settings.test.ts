/** The documentation's tables of settings, against the schema. */

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

/** What a setting is where it is not given; fails where it must be. */
function unset(setting: string) {
  return schemas[setting as keyof typeof schemas].safeParse(undefined);
}

describe('the table of settings', async () => {
  const whole = await settingsIn('packages/bff/README.md');
  const short = await settingsIn('README.md');

  it('of the BFF’s README has every setting, and no other', () => {
    assert.deepEqual(whole.flatMap(({ setting }) => setting ?? []).toSorted(), settings.toSorted());
  });

  it('of the README has every setting that is required, and none that there is not', () => {
    const required = settings.filter((name) => !unset(name).success);
    const listed = short.flatMap(({ setting }) => setting ?? []);
    assert.deepEqual(required.filter((name) => !listed.includes(name)), []);
    assert.deepEqual(listed.filter((name) => !settings.includes(name)), []);
  });

  for (const [document, rows] of [['packages/bff/README.md', whole], ['README.md', short]] as const) {
    it(`calls each by its variable: ${document}`, () => {
      for (const { variable, setting } of rows) {
        if (variable !== undefined && variable !== 'VESTIBULE_CONFIG') assert.equal(settingOf(variable), setting);
      }
    });

    it(`tells the defaults that are numbers: ${document}`, () => {
      const told = rows.flatMap(({ setting, words }) => {
        const number = /(?:; |^)(\d+)$/.exec(words)?.[1];
        return setting === undefined || number === undefined ? [] : [[setting, Number(number)] as const];
      });
      assert.ok(told.length >= 2);
      for (const [setting, number] of told) {
        assert.equal(unset(setting).data, number, setting);
      }
    });

    it(`says what is required: ${document}`, () => {
      for (const { setting, words } of rows) {
        if (setting === undefined) continue;
        const isOptional = unset(setting).success;
        assert.equal(/\brequired$/.test(words), !isOptional, setting);
      }
    });
  }
});
