/** Commands, settings and configurations of the documentation that no other test runs: they exist, and are valid. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { glob, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { loadConfig } from '@vestibule/bff';
import { createProgram } from '../../packages/bff/src/cli/program.ts';
import { codeBlocks, documents, readDocument, root } from './_documents.ts';

const run = promisify(execFile);

describe('a command of the documentation', async () => {
  const texts = (await Promise.all(documents.map(readDocument))).join('\n');
  const found = (pattern: RegExp) => [...new Set([...texts.matchAll(pattern)].map(([, name = '']) => name))];

  it('is a script of npm', async () => {
    const { scripts } = JSON.parse(await readDocument('package.json')) as { scripts: Readonly<Record<string, string>> };
    const names = found(/\bnpm (?:run )?((?<=run )[\w:]+|start|test)\b/g);
    assert.ok(names.length > 5);
    assert.deepEqual(names.filter((name) => scripts[name] === undefined), []);
  });

  it('is one of vestibule', () => {
    const program = createProgram({ environment: {}, print: () => undefined, printError: () => undefined }, () => undefined);
    const names = found(/(?:`|^|&& )(?:vestibule|npx @vestibule\/bff|vestibule-command \w+) ([a-z][\w-]*)/gm);
    assert.ok(names.length > 5);
    assert.deepEqual(names.filter((name) => name !== 'help' && !program.commands.some((command) => command.name() === name)), []);
  });

  it('names files of the package', async () => {
    const paths = found(/node_modules\/@vestibule\/bff\/([\w./@-]+\w)/g).filter((path) => path !== 'config.schema.json');
    assert.ok(paths.length > 3);
    for (const path of paths) await assert.doesNotReject(stat(join(root, 'packages/bff', path)), path);
  });

  it('and a description of the code name files that exist', async () => {
    const files = await Array.fromAsync(glob(['packages/*/src/**/*.ts', 'scripts/*.ts', 'test/**/*.ts'], { cwd: root }));
    for (const document of ['ARCHITECTURE.md', 'CONTRIBUTING.md']) {
      const names = [...(await readDocument(document)).matchAll(/`([\w/-]+(?:\.test|\.model\.test)?\.ts)`/g)].map(([, name = '']) => name);
      assert.ok(names.length > 2);
      assert.deepEqual(names.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`))), [], document);
    }
  });

  for (const { place, code } of await codeBlocks('sh')) {
    it(`can be parsed: ${place}`, async () => {
      await run('sh', ['-n', '-c', code]);
    });
  }

  for (const { place, code } of (await codeBlocks('sh', 'ini')).filter((block) => block.code.includes('VESTIBULE_FORUMS='))) {
    it(`has settings that are complete: ${place}`, async () => {
      const given = [...code.matchAll(/(VESTIBULE_\w+?)(?:_FILE)?=(\S+)/g)].map(([, name = '', value = '']) => [name, value] as const);
      const secrets = { VESTIBULE_PUBLIC_KEY: 'public', VESTIBULE_SECRET_KEY: 'secret', VESTIBULE_COOKIE_SECRETS: 'a-cookie-secret-of-at-least-32-bytes' };
      for (const name of Object.keys(secrets)) assert.ok(given.some(([setting]) => setting === name), name);
      await assert.doesNotReject(loadConfig({ ...Object.fromEntries(given), ...secrets }));
    });
  }
});
