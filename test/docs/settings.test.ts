/** Files of settings in the documentation. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configSchema } from '../../packages/bff/src/config/config-schema.ts';
import { readSetting, settingOf } from '../../packages/bff/src/config/env.ts';
import { codeBlocks, placeOf } from './_documents.ts';

describe('a file of settings in the documentation', async () => {
  for (const block of await codeBlocks('ini')) {
    it(`has settings only, with values that are accepted: ${placeOf(block)}`, () => {
      for (const line of block.code.trim().split('\n')) {
        const [, variable = '', isFile, value = ''] = /^([A-Z_]+?)(_FILE)?=(.+)$/.exec(line) ?? assert.fail(line);
        const setting = settingOf(variable) ?? assert.fail(line);
        const schema = configSchema.shape[setting as keyof typeof configSchema.shape];
        if (isFile === undefined) assert.ok(schema.safeParse(readSetting(setting, value)).success, line);
      }
    });
  }
});
