/** Two releases of the installed package serve readers at the same time and share an archive (`VESTIBULE_WIDGET_ARCHIVE`). */

import assert from 'node:assert/strict';
import { cp, glob, mkdir, readFile, rename, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import { startEmulatedService } from '../service/index.ts';

const root = resolve(import.meta.dirname, '../..');
const HASHED = /-[\w-]{8}(?=\.js)/;

/** Copies the built package; `suffix` replaces the hashes in the names of the widget's files, as other content would. */
async function install(directory: string, suffix?: string): Promise<string> {
  for (const part of ['bin', 'dist', 'package.json']) await cp(join(root, 'packages/bff', part), join(directory, part), { recursive: true });
  await symlink(join(root, 'packages/bff/node_modules'), join(directory, 'node_modules'));
  const widget = join(directory, 'dist/widget');
  if (suffix !== undefined) {
    for await (const file of glob('{widget-*,assets/*}', { cwd: widget })) await rename(join(widget, file), join(widget, file.replace(HASHED, `-${suffix}`)));
  }
  return join(directory, 'bin/vestibule.js');
}

/** Content of the widget's hashed files by path. */
async function hashedFiles(directory: string): Promise<ReadonlyMap<string, string>> {
  const widget = join(directory, 'dist/widget');
  const files = await Array.fromAsync(glob('{widget-*.js,assets/*.js}', { cwd: widget }));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(join(widget, file), 'utf8')] as const)));
}

describe('a rolling upgrade', () => {
  it('serves chunks and pinned scripts of both releases from both', async () => {
    await using service = await startEmulatedService();
    await using place = await temporaryDirectory();
    await symlink(join(root, 'node_modules'), join(place.path, 'node_modules'));
    const directories = ['old', 'new'].map((name) => join(place.path, name));
    await Promise.all(directories.map((directory) => mkdir(directory)));
    const commands = [await install(directories[0]!), await install(directories[1]!, 'release2')];
    const env = bffEnvironment(service, 'http://127.0.0.1/vestibule', { VESTIBULE_WIDGET_ARCHIVE: join(place.path, 'archive') });
    await using older = new VestibuleProcess({ command: commands[0]!, args: ['serve'], cwd: directories[0]!, env });
    const oldOrigin = await older.origin();
    await using newer = new VestibuleProcess({ command: commands[1]!, args: ['serve'], cwd: directories[1]!, env });
    const origins = [oldOrigin, await newer.origin()];

    for (const directory of directories) {
      const files = await hashedFiles(directory);
      assert.ok(files.size > 10, `${files.size} files`);
      for (const origin of origins) {
        for (const [file, content] of files) {
          const response = await fetch(`${origin}/vestibule/${file}`);
          assert.equal(await response.text(), content, `${file} from ${origin}`);
          assert.match(response.headers.get('cache-control') ?? '', /immutable/);
        }
      }
    }
  });
});
