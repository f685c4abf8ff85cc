/** The documentation's JavaScript and TypeScript, before a strict compiler that knows the packages as their users do. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { codeBlocks, placeOf, root, type CodeBlock } from './_documents.ts';

const run = promisify(execFile);

const MODULES = ['@vestibule', '@types', '@vitejs', 'express', 'lit', 'vite', 'vue'];

const compilerOptions = {
  target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], module: 'nodenext', moduleDetection: 'force', jsx: 'react-jsx', types: ['node'],
  strict: true, exactOptionalPropertyTypes: true, noEmit: true, allowJs: true, checkJs: true, skipLibCheck: true,
};

/** A publisher's own module that snippets import. */
const BASQUE = `import type { Language } from '@vestibule/widget';
export const basque: Language;`;

/** React's own typings are no dependency. */
const REACT = `
  /// <reference path="${join(root, 'packages/widget/src/react-stand-in.d.ts')}" />
  declare module 'react/jsx-runtime' { export { JSX } from 'react'; }
`;

describe('the documentation’s code', async () => {
  const blocks = await codeBlocks('js', 'ts', 'tsx');
  const fileOf = (block: CodeBlock): string => `block-${blocks.indexOf(block)}.${block.language}`;
  const directory = suiteResource(temporaryDirectory);
  let complaints: string;

  before(async () => {
    const { path } = directory();
    await mkdir(join(path, 'node_modules'));
    for (const name of MODULES) await symlink(join(root, 'node_modules', name), join(path, 'node_modules', name));
    for (const block of blocks) await writeFile(join(path, fileOf(block)), block.code);
    await writeFile(join(path, 'react.d.ts'), REACT);
    await writeFile(join(path, 'basque.d.ts'), BASQUE);
    await writeFile(join(path, 'package.json'), '{ "type": "module" }');
    await writeFile(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }));
    const compiled = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', path])
      .catch((error: { stdout: string }) => error);
    complaints = compiled.stdout;
  });

  for (const block of blocks) {
    it(`compiles: ${placeOf(block)}`, () => {
      assert.deepEqual(complaints.split('\n').filter((line) => line.includes(fileOf(block))), []);
    });
  }

  it('has no other compiler errors', () => {
    assert.deepEqual(complaints.split('\n').filter((line) => line !== '' && !/^\s|block-\d/.test(line)), []);
  });

  for (const block of await codeBlocks('vue')) {
    it(`compiles in strict templates: ${placeOf(block)}`, async () => {
      const home = join(directory().path, 'vue');
      await mkdir(home);
      await symlink(join(directory().path, 'node_modules'), join(home, 'node_modules'));
      await writeFile(join(home, 'Comments.vue'), block.code);
      const options = { ...compilerOptions, module: 'esnext', moduleResolution: 'bundler', jsx: 'preserve', types: [], verbatimModuleSyntax: true };
      await writeFile(join(home, 'tsconfig.json'), JSON.stringify({
        compilerOptions: options, vueCompilerOptions: { strictTemplates: true }, include: ['*.vue'],
      }));
      const { stdout } = await run(process.execPath, [join(root, 'node_modules/vue-tsc/bin/vue-tsc.js'), '-p', home])
        .catch((error: { stdout: string }) => error);
      assert.equal(stdout, '');
    });
  }

  it('signs as it is printed', async () => {
    const signing = blocks.filter(({ code }) => code.includes('signRequest('));
    assert.ok(signing.length > 0);
    for (const block of signing) {
      const { stdout } = await run(process.execPath, [join(directory().path, fileOf(block))]);
      assert.match(stdout, /^MAC id="[^"]+", nonce="[^"]+", body-hash="[^"]+", mac="[^"]+"/);
    }
  });
});
