/** The documentation's JavaScript and TypeScript, before a strict compiler that knows the packages as their users do. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { codeBlocks, placeOf, root, type CodeBlock } from './_documents.ts';

const run = promisify(execFile);

const MODULES = ['@vestibule', '@types', 'express', 'lit'];

const compilerOptions = {
  target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'], module: 'nodenext', moduleDetection: 'force', jsx: 'react-jsx', types: ['node'],
  strict: true, exactOptionalPropertyTypes: true, noEmit: true, allowJs: true, checkJs: true, skipLibCheck: true,
};

/** React's own typings are no dependency. */
const REACT = `
  /// <reference path="${join(root, 'packages/widget/src/react-stand-in.d.ts')}" />
  declare module 'react/jsx-runtime' { export { JSX } from 'react'; }
`;

describe('the documentation’s code', async () => {
  const blocks = await codeBlocks('js', 'ts', 'tsx');
  const fileOf = (block: CodeBlock): string => `block-${blocks.indexOf(block)}.${block.language}`;
  let directory: string;
  let complaints: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'vestibule-docs-'));
    await mkdir(join(directory, 'node_modules'));
    for (const name of MODULES) await symlink(join(root, 'node_modules', name), join(directory, 'node_modules', name));
    for (const block of blocks) await writeFile(join(directory, fileOf(block)), block.code);
    await writeFile(join(directory, 'react.d.ts'), REACT);
    await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }));
    const compiled = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', directory])
      .catch((error: { stdout: string }) => error);
    complaints = compiled.stdout;
  });
  after(() => rm(directory, { recursive: true }));

  for (const block of blocks) {
    it(`compiles: ${placeOf(block)}`, () => {
      assert.deepEqual(complaints.split('\n').filter((line) => line.includes(fileOf(block))), []);
    });
  }

  it('is all that there is to complain of', () => {
    assert.deepEqual(complaints.split('\n').filter((line) => line !== '' && !/^\s|block-\d/.test(line)), []);
  });

  it('signs as it is printed', async () => {
    const signing = blocks.filter(({ code }) => code.includes('signRequest('));
    assert.ok(signing.length > 0);
    for (const block of signing) {
      const { stdout } = await run(process.execPath, [join(directory, fileOf(block))]);
      assert.match(stdout, /^MAC id="[^"]+", nonce="[^"]+", body-hash="[^"]+", mac="[^"]+"/);
    }
  });
});
