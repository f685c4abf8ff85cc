/** The packages as those have them who install them (contract, section 3: as a library). */

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { VestibuleConfig } from '@vestibule/bff';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';
import { createProject, type Project } from './_project.ts';

const run = promisify(execFile);
const ORIGIN = 'http://www.example.com';

let project: Project;
let service: EmulatedService;
before(async () => {
  project = await createProject();
  service = await startEmulatedService({ redirectUris: ['one', 'two'].map(redirectUriOf) });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

function redirectUriOf(name: string): string {
  return `${ORIGIN}/${name}/sync/return`;
}

function configOf(name: string): VestibuleConfig {
  return {
    serviceUrl: service.url,
    publicKey: service.publicKey,
    secretKey: service.secretKey,
    forums: ['news'],
    publicUrl: `${ORIGIN}/${name}`,
    cookieSecrets: [`a-cookie-secret-of-${name}-of-32-bytes-or-more`],
    store: 'memory:',
    logLevel: 'silent',
  };
}

/** Runs a script of the project while `use` asks it; gives how it ended once its input was closed. */
async function running(script: string, config: unknown, use: (origin: string) => Promise<void>): Promise<number | null> {
  const child = spawn(process.execPath, [join(script, 'main.ts'), JSON.stringify(config)], {
    cwd: project.directory, env: { PATH: process.env['PATH'] }, stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const dead = ended.then(() => { throw new Error('it ended before it listened'); });
  try {
    const [port] = await Promise.race([once(createInterface(child.stdout), 'line') as Promise<[string]>, dead]);
    await use(`http://127.0.0.1:${port}`);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  child.stdin.end();
  return (await ended)[0];
}

async function ask(url: string, { cookie, body, key }: { cookie?: string; body?: object; key?: string } = {}): Promise<Response> {
  return fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: {
      Connection: 'close',
      Origin: ORIGIN,
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(body && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** From the return to a post. @returns the cookie of the signed-in reader */
async function takeMainRoad(bff: string, name: string): Promise<string> {
  const begun = await ask(`${bff}/sync`, { body: service.issueReturn({ redirectUri: redirectUriOf(name) }) });
  assert.equal(begun.status, 201, await begun.text());
  const ended = await ask(`${bff}/sync/validation`, { cookie: cookieOf(begun), body: { answers: {} } });
  assert.equal(ended.status, 200, await ended.text());
  const cookie = cookieOf(ended);
  const message = `Hello from ${name} ${crypto.randomUUID()}`;
  const posted = await ask(`${bff}/posts`, { cookie, body: { forum: 'news', message }, key: crypto.randomUUID() });
  assert.equal(posted.status, 201, await posted.text());
  assert.ok(service.posts.some((post) => post.message === message));
  return cookie;
}

async function stateOf(bff: string, cookie: string): Promise<string> {
  return (await (await ask(`${bff}/session`, { cookie })).json() as { state: string }).state;
}

describe('the packages, packed and put into an empty project', () => {
  it('bring what was built and the licence, and no sources of tests', () => {
    for (const [name, files] of Object.entries(project.files)) {
      assert.ok(files.some((path) => path.startsWith('dist/')), name);
      assert.ok(files.includes('LICENSE'), name);
      assert.deepEqual(files.filter((path) => /(?:^|\/)(?:src|test|_[^/]*|[^/]*\.test\.[^/]*)(?:\/|$)/.test(path)), [], name);
    }
    assert.ok(project.files.bff.includes('bin/vestibule.js'));
    assert.ok(project.files.widget.includes('dist/browser/widget.js'));
  });

  it('bring every example of a deployment', async () => {
    const examples = await readdir(resolve(import.meta.dirname, '../../packages/bff/deploy'));
    assert.ok(examples.length > 3);
    assert.deepEqual(project.files.bff.filter((path) => path.startsWith('deploy/')).toSorted(), examples.map((name) => `deploy/${name}`).toSorted());
  });

  it('bring the schema of the configuration, which a JSON file may name by its path and a tool by the package', async () => {
    const path = createRequire(join(project.directory, 'main.js')).resolve('@vestibule/bff/config.schema.json');
    assert.equal(path, await realpath(join(project.directory, 'node_modules/@vestibule/bff/config.schema.json')));
    const { properties } = JSON.parse(await readFile(path, 'utf8')) as { properties: object };
    assert.ok('VESTIBULE_FORUMS' in properties && 'forums' in properties);
  });

  it('name what makes the log readable in a terminal as an optional peer', async () => {
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(
      await readFile(join(project.directory, 'node_modules/@vestibule/bff/package.json'), 'utf8'),
    ) as Record<string, Record<string, unknown>>;
    assert.deepEqual([Object.keys(peerDependencies ?? {}), peerDependenciesMeta], [['pino-pretty'], { 'pino-pretty': { optional: true } }]);
  });

  it('run two BFFs in an Express application among its own middleware, each with its own readers, and let it end', async () => {
    const status = await running('express-app', [configOf('one'), configOf('two')], async (origin) => {
      const visit = await ask(`${origin}/visit`);
      const again = await ask(`${origin}/visit?a[b]=c`, { cookie: cookieOf(visit) });
      assert.deepEqual(await again.json(), { visited: 'yes', query: { a: { b: 'c' } } });
      const reader = await takeMainRoad(`${origin}/one`, 'one');
      const other = await takeMainRoad(`${origin}/two`, 'two');
      assert.deepEqual(await Promise.all([stateOf(`${origin}/one`, reader), stateOf(`${origin}/two`, other)]), ['signed-in', 'signed-in']);
      assert.deepEqual(await Promise.all([stateOf(`${origin}/two`, reader), stateOf(`${origin}/one`, other)]), ['anonymous', 'anonymous']);
      assert.equal((await ask(`${origin}/one/widget.js`)).headers.get('Content-Type'), 'text/javascript');
      assert.equal(await (await ask(`${origin}/elsewhere`)).text(), 'nothing of the application');
    });
    assert.equal(status, 0);
  });

  it('run the BFF on a plain server under the path of its address, and let it end', async () => {
    const status = await running('plain-server', { ...configOf('one'), store: `sqlite:${join(project.directory, 'store.db')}` }, async (origin) => {
      const reader = await takeMainRoad(`${origin}/one`, 'one');
      assert.equal(await stateOf(`${origin}/one`, reader), 'signed-in');
    });
    assert.equal(status, 0);
  });

  it('bring the command', async () => {
    const bin = join(project.directory, 'node_modules/@vestibule/bff/bin/vestibule.js');
    const env = { PATH: process.env['PATH'] };
    await assert.rejects(run(process.execPath, [bin, 'serve'], { cwd: project.directory, env }), (error: { code: number; stderr: string }) => {
      assert.equal(error.code, 78, error.stderr);
      assert.match(error.stderr, /VESTIBULE_SERVICE_URL/);
      return true;
    });
  });

  it('bring types that a strict compiler takes, libraries included', async () => {
    await writeFile(join(project.directory, 'tsconfig.json'), JSON.stringify({
      compilerOptions: {
        target: 'es2024', lib: ['es2024', 'esnext.disposable', 'dom', 'dom.iterable'], module: 'nodenext', strict: true, noEmit: true,
        types: ['node'], skipLibCheck: false, preserveSymlinks: false,
      },
      include: ['*/main.ts'],
    }));
    const tsc = resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', project.directory]).catch((error: { stdout: string }) => error);
    assert.equal(stdout, '');
  });
});
