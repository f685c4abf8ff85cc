/** Two processes of different folders, as of two releases, share a store and an archive (`VESTIBULE_WIDGET_ARCHIVE`). */

import assert from 'node:assert/strict';
import { cp, glob, mkdir, readFile, rename, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import { startEmulatedService } from '../service/index.ts';
import { FleetReader, fleetSettings, REDIRECT_URI, type Member } from '../store/_fleet.ts';

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

async function startBoth() {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await startEmulatedService({ redirectUris: [REDIRECT_URI] }));
  const place = stack.use(await temporaryDirectory());
  await symlink(join(root, 'node_modules'), join(place.path, 'node_modules'));
  const env = { ...fleetSettings(service, `sqlite:${join(place.path, 'vestibule.db')}`), VESTIBULE_WIDGET_ARCHIVE: join(place.path, 'archive') };
  const directories = ['old', 'new'].map((name) => join(place.path, name)) as [string, string];
  const start = async (directory: string, suffix?: string): Promise<Member> => {
    await mkdir(directory);
    const command = await install(directory, suffix);
    const process = stack.use(new VestibuleProcess({ command, args: ['serve'], cwd: directory, env }));
    return { process, origin: await process.origin() };
  };
  const members = [await start(directories[0]), await start(directories[1], 'release2')] as const;
  const owned = stack.move();
  return { service, directories, members, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe('a rolling upgrade', () => {
  const both = suiteResource(startBoth);

  it('serves chunks and pinned scripts of both processes from both', async () => {
    const { directories, members } = both();
    for (const directory of directories) {
      const files = await hashedFiles(directory);
      assert.ok(files.size > 10, `${files.size} files`);
      for (const { origin } of members) {
        for (const [file, content] of files) {
          const response = await fetch(`${origin}/vestibule/${file}`);
          assert.equal(await response.text(), content, `${file} from ${origin}`);
          assert.match(response.headers.get('cache-control') ?? '', /immutable/);
        }
      }
    }
  });

  it('continues a sign-in at the other process, and posts at both', async () => {
    const { service, members: [older, newer] } = both();
    const reader = new FleetReader();
    await reader.signIn(service, { user_id: '1', username: 'Ada Quill' }, [older, newer]);
    for (const member of [older, newer]) {
      assert.equal((await reader.session(member)).body.state, 'signed-in');
      assert.equal((await reader.post(member, `from ${member.origin}`)).status, 201);
    }
    assert.deepEqual(service.posts.map(({ message }) => message), [older, newer].map(({ origin }) => `from ${origin}`));
  });
});
