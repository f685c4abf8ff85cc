/** What derives from the table of settings and is checked in. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type * as z from 'zod';
import type { VestibuleConfig } from '@vestibule/bff';
import { settings, type configSchema } from '../packages/bff/src/config/settings.ts';
import { configInterface } from '../scripts/settings-types.ts';

describe('the interface VestibuleConfig', () => {
  it('is what the generator writes, with the sentence of each setting', () => {
    const text = readFileSync(new URL('../packages/bff/src/config/vestibule-config.ts', import.meta.url), 'utf8');
    assert.equal(text, configInterface(), 'npm run build writes it');
    const words = text.replaceAll(/\s+(?:\*\s+)?/g, ' ');
    for (const [name, { sentence }] of Object.entries(settings)) assert.ok(words.includes(sentence), name);
  });

  it('accepts what the schema accepts, and nothing else', () => {
    type Input = z.input<typeof configSchema>;
    const same = { toInput: (config: VestibuleConfig): Input => config, toConfig: (input: Input): VestibuleConfig => input };
    type Names = [keyof VestibuleConfig, keyof Input];
    const names: Names[0] extends Names[1] ? Names[1] extends Names[0] ? true : never : never = true;
    assert.ok(names && same);
  });
});
