import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testsAffectedBy } from './affected-tests.ts';

const texts = new Map(Object.entries({
  'packages/bff/src/a.ts': `export const a = 1;`,
  'packages/bff/src/a.test.ts': `import { a } from './a.ts';`,
  'packages/bff/src/index.ts': `export { a } from './a.ts';`,
  'packages/bff/src/other.test.ts': `import assert from 'node:assert';`,
  'test/api.test.ts': `import { a } from '@vestibule/bff';`,
  'test/process.test.ts': `spawn(fromRoot('packages/bff/dist/main.js'))`,
  'test/readme.test.ts': `readFile(fromRoot('README.md'))`,
  'test/lib/part.ts': `export const part = 1;`,
  'test/deep/part.test.ts': `import '../lib/part.ts';`,
  'packages/bff/src/files.ts': `join(import.meta.dirname, '../../dist/widget')`,
  'packages/bff/src/files.test.ts': `import './files.ts';`,
  'packages/widget/src/box.ts': `export const box = 1;`,
  'test/docs/pages.test.ts': `readdir(join(root, 'docs/'))`,
  'test/deploy/rules.test.ts': `readFile(deploy('rules.yaml')); fetch(url + '/docs')`,
}));
const files = new Set([...texts.keys(), 'README.md', 'docs/install.md', 'packages/bff/deploy/rules.yaml']);

const affectedBy = (...changed: string[]) => [...testsAffectedBy(changed, files, texts)].sort();

describe('testsAffectedBy', () => {
  it('names the tests that import a changed source, also through others, and those of the build', () => {
    assert.deepEqual(affectedBy('packages/bff/src/a.ts'), ['packages/bff/src/a.test.ts', 'test/api.test.ts', 'test/process.test.ts']);
  });

  it('names a changed test only', () => {
    assert.deepEqual(affectedBy('packages/bff/src/other.test.ts'), ['packages/bff/src/other.test.ts']);
  });

  it('names the tests that read a changed document', () => {
    assert.deepEqual(affectedBy('README.md'), ['test/readme.test.ts']);
  });

  it('names the tests that read the folder of a changed document, or name the end of its path', () => {
    assert.deepEqual(affectedBy('docs/install.md'), ['test/docs/pages.test.ts']);
    assert.deepEqual(affectedBy('packages/bff/deploy/rules.yaml'), ['test/deploy/rules.test.ts']);
  });

  it('names no unit test of a package whose build output alone has changed', () => {
    assert.deepEqual(affectedBy('packages/widget/src/box.ts'), ['test/process.test.ts']);
  });

  it('follows parts of the tests', () => {
    assert.deepEqual(affectedBy('test/lib/part.ts'), ['test/deep/part.test.ts']);
  });

  it('names none without a change', () => {
    assert.deepEqual(affectedBy(), []);
  });
});
