/** What the README of the BFF says: every setting and its default, code that a compiler takes. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { configSchema } from '../../packages/bff/src/config/config.ts';
import { settingOf } from '../../packages/bff/src/config/env.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const readme = await readFile(join(root, 'packages/bff/README.md'), 'utf8');

/** Variable, setting and words of each row of the table of settings. */
const rows = [...readme.matchAll(/^\| (?:`([A-Z_]+)`)? ?\| (?:`(\w+)`)? ?\| (.+) \|$/gm)].map(([, variable, setting, words = '']) => (
  { variable, setting, words }
));

describe('the README of the BFF', () => {
  it('lists every setting, and no other', () => {
    const listed = rows.map(({ setting }) => setting).filter((setting) => setting !== undefined);
    assert.deepEqual(listed.toSorted(), Object.keys(configSchema.shape).toSorted());
  });

  it('calls each by its variable', () => {
    for (const { variable, setting } of rows) {
      if (variable !== undefined && variable !== 'VESTIBULE_CONFIG') assert.equal(settingOf(variable), setting);
    }
  });

  it('tells the defaults that are numbers', () => {
    for (const { setting, words } of rows) {
      const told = /; (\d+)$/.exec(words)?.[1];
      if (told === undefined) continue;
      const schema = configSchema.shape[setting as keyof typeof configSchema.shape];
      assert.equal(schema.safeParse(undefined).data, Number(told), setting);
    }
  });

  it('shows code that a compiler takes', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'vestibule-readme-'));
    try {
      await mkdir(join(directory, 'node_modules'));
      for (const name of ['@vestibule', '@types', 'express']) await symlink(join(root, 'node_modules', name), join(directory, 'node_modules', name));
      const blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code);
      assert.ok(blocks.length >= 4);
      for (const [index, code] of blocks.entries()) {
        await writeFile(join(directory, code.includes('export default') ? 'vestibule.config.js' : `block-${index}.js`), code);
      }
      await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
      await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({
        compilerOptions: {
          target: 'es2024', module: 'nodenext', strict: true, noEmit: true, allowJs: true, checkJs: true, types: ['node'], skipLibCheck: true,
        },
        include: ['*.js'],
      }));
      const { stdout } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', directory])
        .catch((error: { stdout: string }) => error);
      assert.equal(stdout, '');
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
