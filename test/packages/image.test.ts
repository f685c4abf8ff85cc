/** The stages of the Dockerfile without a daemon: its copies, its commands of npm and its entry point, in folders for stages. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { VestibuleProcess } from '../lib/vestibule-process.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** As `.dockerignore` leaves them out. */
const isIgnored = (path: string): boolean => (
  ['node_modules', 'dist', '.git', '.artifacts'].includes(basename(path)) || /\.tsbuildinfo$|\.db/.test(basename(path))
);

interface Stage {
  /** Stands for `/` of the image. */
  readonly directory: string;
  workdir: string;
  readonly env: Record<string, string>;
  command: string[];
}

/** @returns the last stage */
async function build(dockerfile: string, directory: string): Promise<Stage> {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  const inImage = (of: Stage, path: string) => join(of.directory, resolve(of.workdir, path));
  for (const line of dockerfile.replaceAll(/^#.*\n/gm, '').split('\n').filter((text) => text !== '')) {
    const [, instruction = '', rest = ''] = /^(\w+) +(.*)$/.exec(line) ?? assert.fail(line);
    if (instruction === 'FROM') {
      const [base = '', , name = 'last'] = rest.split(' ');
      const parent = stages.get(base);
      stage = { directory: join(directory, name), workdir: parent?.workdir ?? '/', env: { ...parent?.env }, command: [] };
      stages.set(name, stage);
      await mkdir(join(stage.directory, stage.workdir), { recursive: true });
      continue;
    }
    assert.ok(stage, line);
    switch (instruction) {
      case 'WORKDIR': stage.workdir = rest; await mkdir(inImage(stage, '.'), { recursive: true }); break;
      case 'ENV': Object.assign(stage.env, Object.fromEntries(rest.split(' ').map((pair) => pair.split('=')))); break;
      case 'COPY': {
        const from = stages.get(/^--from=(\w+) /.exec(rest)?.[1] ?? '');
        const paths = rest.replace(/^--from=\w+ /, '').split(' ');
        const target = paths.pop() ?? '';
        for (const path of paths) {
          const source = from ? inImage(from, path) : join(root, path);
          // A folder is copied as its content, a file into a folder that ends with a slash.
          const isInto = target.endsWith('/') && path !== '/app';
          const to = join(inImage(stage, target), isInto ? basename(path) : '');
          const filter = (name: string) => from !== undefined || !isIgnored(name);
          await cp(source, to, { recursive: true, verbatimSymlinks: true, filter });
        }
        break;
      }
      // The other command makes folders at the root.
      case 'RUN':
        if (rest.startsWith('npm ')) {
          await run('sh', ['-c', rest], { cwd: inImage(stage, '.'), env: { ...process.env, npm_config_prefer_offline: 'true' } });
        }
        break;
      case 'ENTRYPOINT': case 'CMD': stage.command.push(...JSON.parse(rest) as string[]); break;
      default: assert.match(instruction, /^(?:USER|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK)$/);
    }
  }
  return stage ?? assert.fail('no stage');
}

describe('the image', () => {
  it('can be built, and serves the widget', async () => {
    await using temporary = await temporaryDirectory({ inMemory: false });
    const { directory, workdir, env, command } = await build(await readFile(join(root, 'packages/bff/Dockerfile'), 'utf8'), temporary.path);
    const [node, script = '', ...args] = command;
    assert.deepEqual([node, args], ['node', ['serve']]);
    await using bff = new VestibuleProcess({
      command: join(directory, workdir, script), args, cwd: join(directory, workdir),
      env: {
        ...env, HOST: '127.0.0.1', PORT: '0', VESTIBULE_STORE: 'memory:', VESTIBULE_SERVICE_URL: 'http://127.0.0.1:1', VESTIBULE_FORUMS: 'news',
        VESTIBULE_PUBLIC_KEY: 'public', VESTIBULE_SECRET_KEY: 'secret', VESTIBULE_PUBLIC_URL: 'https://www.example.com',
        VESTIBULE_COOKIE_SECRETS: 'a-cookie-secret-of-at-least-32-bytes',
      },
    });
    const origin = await bff.origin();
    for (const path of ['/readyz', '/widget.js', '/count.js']) assert.equal((await fetch(origin + path)).status, 200, path);
    assert.equal((await bff.kill()).status, 0);
  });
});
