/** Executes the Dockerfile's steps without Docker, then runs the result as the image's user. At full length the build stage is
 *  executed too; otherwise the outputs of `npm run build` replace it. The runtime is copied, because that user cannot read this
 *  checkout. */

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '../lib/free-port.ts';
import { isLong } from '../lib/long-run.ts';
import { buildByHand, instructionOf, parseDockerfile, type Stage } from './_dockerfile.ts';

const run = promisify(execFile);
const context = resolve(import.meta.dirname, '../..');
const isRoot = process.getuid?.() === 0;

/** What may stand in it: `ADD` fetches and unpacks, `SHELL` and `ONBUILD` hide what happens, `MAINTAINER` is no more. */
const known = ['COPY', 'RUN', 'WORKDIR', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'];

describe('the Dockerfile', () => {
  let stages: readonly Stage[];
  let image: Stage;
  let directory: string;
  let root: string;
  before(async () => {
    stages = parseDockerfile(await readFile(join(context, 'packages/bff/Dockerfile'), 'utf8'));
    image = stages.at(-1) as Stage;
    directory = await mkdtemp(join(tmpdir(), 'vestibule-image-'));
    await chmod(directory, 0o755);
    await cp(process.execPath, join(directory, 'node'));
    const rootOf = (stage: Stage) => join(directory, stage.name || 'image');
    root = rootOf(image);
    const ignored = (await readFile(join(context, 'packages/bff/Dockerfile.dockerignore'), 'utf8')).trim().split('\n');
    if (!isLong) {
      for (const output of ['shared/dist', 'bff/dist', 'widget/dist/browser']) {
        await cp(join(context, 'packages', output), join(directory, 'build/app/packages', output), { recursive: true });
      }
    }
    await buildByHand(stages, { context, ignored, rootOf, isRun: ({ name }) => isLong || name !== 'build' });
  });
  after(() => rm(directory, { recursive: true }));

  const said = (name: string) => instructionOf(stages, image, name) ?? '';
  const environment = () => Object.fromEntries(said('ENV').split(' ').map((pair) => pair.split('=', 2)));

  it('pins the release line of Node.js, and names no secret', async () => {
    const text = await readFile(join(context, 'packages/bff/Dockerfile'), 'utf8');
    const { engines } = JSON.parse(await readFile(join(context, 'packages/bff/package.json'), 'utf8')) as { engines: { node: string } };
    assert.match(stages[0]?.base ?? '', new RegExp(`^node:${/\d+/.exec(engines.node)?.[0]}-`));
    assert.doesNotMatch(text, /^(?:ENV|ARG).*(?:SECRET|KEY|PASSWORD)/m);
  });

  it('keeps the rules of hadolint that concern it', () => {
    const names = stages.map(({ name }) => name).filter((name) => name !== '');
    assert.equal(new Set(names).size, names.length, 'DL3024: a name for one stage');
    for (const { base, instructions } of stages) {
      assert.ok(names.includes(base) || /:(?!latest\b)[\w.-]+$/.test(base), 'DL3006, DL3007: a base with a tag, and not the latest');
      for (const { name, text } of instructions) {
        const line = `${name} ${text}`;
        assert.ok(known.includes(name), `DL3020, DL4000, DL1000: ${line}`);
        if (name === 'WORKDIR') assert.match(text, /^\//, 'DL3000: an absolute directory');
        if (name === 'RUN') assert.doesNotMatch(text, /\b(?:sudo|cd|apt|ssh|vim|shutdown|kill)\b|\| /, `DL3001, DL3003, DL3004, DL4006: ${line}`);
        if (name === 'EXPOSE') assert.ok(Number(text) > 0 && Number(text) < 65_536, 'DL3011: a port');
        if (name === 'CMD' || name === 'ENTRYPOINT') assert.ok(Array.isArray(JSON.parse(text)), 'DL3025: a list of arguments');
        if (name !== 'COPY') continue;
        const [, from] = /^--from=(\S+) /.exec(text) ?? [];
        assert.ok(from === undefined || names.includes(from), `DL3022: ${line}`);
        const paths = text.split(' ').filter((word) => !word.startsWith('--'));
        assert.ok(paths.length === 2 || paths.at(-1)?.endsWith('/'), `DL3021: ${line}`);
      }
    }
    for (const once of ['CMD', 'ENTRYPOINT', 'HEALTHCHECK', 'USER']) {
      assert.equal(image.instructions.filter(({ name }) => name === once).length, 1, `DL3012, DL3057, DL4003, DL4004: ${once}`);
    }
  });

  it('runs as an unprivileged user by number, so that an orchestrator can check it', () => {
    assert.match(said('USER'), /^[1-9]\d*:[1-9]\d*$/);
  });

  it('leaves no build tools, sources or tests in the image', async () => {
    for (const name of ['typescript', 'vite', 'eslint', 'playwright-core']) {
      await assert.rejects(stat(join(root, 'app/node_modules', name)), name);
    }
    for (const path of ['scripts', 'test', 'packages/bff/src', 'packages/widget/src']) await assert.rejects(stat(join(root, 'app', path)), path);
  });

  it('starts, serves, is healthy, writes nowhere but in /data, and ends on its signal', async () => {
    const port = await freePort();
    const env = {
      PATH: process.env['PATH'] ?? '',
      ...environment(),
      HOST: '127.0.0.1',
      PORT: String(port),
      VESTIBULE_STORE: `sqlite:${root}/data/vestibule.db`,
      VESTIBULE_SERVICE_URL: 'http://127.0.0.1:9',
      VESTIBULE_PUBLIC_KEY: 'public-key',
      VESTIBULE_SECRET_KEY: 'secret-key',
      VESTIBULE_FORUMS: 'news',
      VESTIBULE_PUBLIC_URL: 'https://www.example.com/vestibule',
      VESTIBULE_COOKIE_SECRETS: 'a-cookie-secret-of-at-least-32-bytes',
    };
    const [uid, gid] = said('USER').split(':').map(Number) as [number, number];
    const [, ...args] = [...JSON.parse(said('ENTRYPOINT')) as string[], ...JSON.parse(said('CMD')) as string[]];
    const before = await filesOutsideData();
    assert.ok(before.length > 100);
    const child = spawn(join(directory, 'node'), args, { cwd: join(root, 'app'), env, stdio: ['ignore', 'pipe', 'inherit'], ...(isRoot && { uid, gid }) });
    const ended = once(child, 'close') as Promise<[number | null]>;
    try {
      const [line] = await once(createInterface(child.stdout), 'line') as [string];
      assert.equal((JSON.parse(line) as { msg: string }).msg, 'listening');
      const bff = `http://127.0.0.1:${port}/vestibule`;
      assert.equal((await fetch(`${bff}/session`)).status, 200);
      assert.equal((await fetch(`${bff}/widget.js`)).status, 200);
      assert.equal(await healthStatus(env), 0);
      if (isRoot) assert.equal((await stat(join(root, 'data/vestibule.db'))).uid, uid);
    } finally {
      child.kill(said('STOPSIGNAL') as NodeJS.Signals);
    }
    assert.equal((await ended)[0], 0);
    assert.deepEqual(await filesOutsideData(), before);
    assert.equal(await healthStatus(env), 1);
  });

  /** Paths with the time of the last write. */
  async function filesOutsideData(): Promise<readonly string[]> {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const outside = paths.filter((path) => !relative(root, path).startsWith('data/')).toSorted();
    return await Promise.all(outside.map(async (path) => `${relative(root, path)} ${(await stat(path)).mtimeMs}`));
  }

  async function healthStatus(env: NodeJS.ProcessEnv): Promise<number> {
    const [, ...args] = JSON.parse(said('HEALTHCHECK').replace(/^.*? CMD /, '')) as string[];
    return run(process.execPath, args, { env }).then(() => 0, (error: { code: number }) => error.code);
  }
});
