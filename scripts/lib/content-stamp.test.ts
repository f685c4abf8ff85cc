/** Changes of a content stamp. */

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { contentStamp } from './content-stamp.ts';
import { artifactsDirectory, shortPath } from './paths.ts';

describe('contentStamp', () => {
  let directory: string;

  before(async () => {
    await mkdir(artifactsDirectory, { recursive: true });
    directory = await mkdtemp(join(artifactsDirectory, 'stamp-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));
  beforeEach(() => writeFile(join(directory, 'one.ts'), 'one'));

  const stamp = (): Promise<string> => contentStamp([`${shortPath(directory)}/**/*`], (path) => path.endsWith('.test.ts'));

  it('is the same for the same files', async () => {
    assert.equal(await stamp(), await stamp());
  });

  it('differs for another content, another name and another file', async () => {
    const stamps = [await stamp()];
    await writeFile(join(directory, 'one.ts'), 'two');
    stamps.push(await stamp());
    await rename(join(directory, 'one.ts'), join(directory, 'two.ts'));
    stamps.push(await stamp());
    await writeFile(join(directory, 'three.ts'), '');
    stamps.push(await stamp());
    assert.equal(new Set(stamps).size, 4);
  });

  it('takes no notice of what is left out', async () => {
    const before = await stamp();
    await writeFile(join(directory, 'one.test.ts'), 'it');
    assert.equal(await stamp(), before);
  });
});
