/** The packages as `npm install` leaves them in a project (contract, section 4, library). */

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { VestibuleConfig } from '@vestibule/bff';
import type { SessionView } from '@vestibule/shared';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';
import { Project, type PackageName } from './_project.ts';

const run = promisify(execFile);
const ORIGIN = 'http://www.example.com';

const MEGABYTE = 1_000_000;

let project: Project;
let service: EmulatedService;
const files: Partial<Record<PackageName, readonly string[]>> = {};
before(async () => {
  project = await Project.create();
  files.bff = await project.installPacked('bff');
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
  };
}

interface Ended {
  readonly status: number | null;
  /** Lines of standard output after the port. */
  readonly output: readonly string[];
}

/** Runs a script of the project until `use` ends, then closes its input. */
async function running(script: string, config: unknown, use: (origin: string) => Promise<void>): Promise<Ended> {
  const child = spawn(process.execPath, [join(script, 'main.ts'), JSON.stringify(config)], {
    cwd: project.directory, env: { PATH: process.env['PATH'] }, stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const dead = ended.then(() => { throw new Error('the script ended before it listened'); });
  const output: string[] = [];
  const lines = createInterface(child.stdout);
  try {
    const [port] = await Promise.race([once(lines, 'line') as Promise<[string]>, dead]);
    lines.on('line', (line) => { output.push(line); });
    await use(`http://127.0.0.1:${port}`);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  child.stdin.end();
  return { status: (await ended)[0], output };
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

/** The first cookie that the response sets under a name that starts with `name`. */
function cookieOf(response: Response, name: string): string {
  const pairs = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  return pairs.find((pair) => pair.startsWith(name)) ?? assert.fail(`no cookie ${name} among ${pairs.length}`);
}

/** From the return of the service to a post. @returns the cookie of the session */
async function signInAndPost(bff: string, name: string): Promise<string> {
  const started = await ask(`${bff}/sync`, { body: service.issueReturn({ redirectUri: redirectUriOf(name) }) });
  assert.equal(started.status, 201);
  const { sync } = await started.json() as SessionView;
  const ended = await ask(`${bff}/sync/validation`, {
    cookie: cookieOf(started, 'vestibule-sync-'), body: { sync: sync?.id, username: sync?.user.username, answers: {} },
  });
  assert.equal(ended.status, 200, await ended.text());
  const cookie = cookieOf(ended, 'vestibule=');
  const message = `Hello from ${name} ${crypto.randomUUID()}`;
  const posted = await ask(`${bff}/posts`, { cookie, body: { forum: 'news', message }, key: crypto.randomUUID() });
  assert.equal(posted.status, 201, await posted.text());
  assert.ok(service.posts.some((post) => post.message === message));
  return cookie;
}

async function stateOf(bff: string, cookie: string): Promise<string> {
  return (await (await ask(`${bff}/session`, { cookie })).json() as { state: string }).state;
}

describe('npm install @vestibule/bff', () => {
  it('takes at most 34 MB', async (t) => {
    const bytes = await project.installedBytes();
    t.diagnostic(`${(bytes / MEGABYTE).toFixed(1)} MB`);
    assert.ok(bytes <= 34 * MEGABYTE, String(bytes));
  });

  it('installs neither the widget nor lit', async () => {
    const installed = await project.installed();
    assert.ok(installed.includes('@vestibule/shared'));
    assert.deepEqual(installed.filter((name) => /^lit(?:-|$)|^@lit|widget|^@types\/|^typescript$/.test(name)), []);
  });
});

describe('a packed package', () => {
  const home = (name: PackageName) => join(project.directory, 'node_modules/@vestibule', name);
  before(async () => {
    files.widget = await project.installPacked('widget');
    files.shared = await project.installPacked('shared');
    for (const name of ['express-app', 'plain-server', 'strict-consumer']) {
      await cp(join(import.meta.dirname, name), join(project.directory, name), { recursive: true });
    }
    for (const name of ['express', 'cookie-parser', '@types/node']) await project.install(name);
  });

  it('contains the build, the license and no tests', () => {
    for (const [name, paths] of Object.entries(files)) {
      assert.ok(paths.some((path) => path.startsWith('dist/')), name);
      assert.ok(paths.includes('LICENSE'), name);
      assert.deepEqual(paths.filter((path) => /(?:^|\/)(?:test|_[^/]*|[^/]*\.test\.[^/]*)(?:\/|$)/.test(path)), [], name);
    }
    for (const path of ['bin/vestibule.js', 'dist/docs/install.md', 'dist/widget/widget.js', 'dist/widget/widget.js.br']) assert.ok(files.bff?.includes(path), path);
    for (const path of ['dist/browser/widget.js', 'dist/browser/widget.js.map']) assert.ok(files.widget?.includes(path), path);
  });

  it('contains what its exports, its source maps and its declaration maps name', async () => {
    for (const name of ['bff', 'shared', 'widget'] as const) {
      const { exports } = JSON.parse(await readFile(join(home(name), 'package.json'), 'utf8')) as { exports: object };
      const targets = JSON.stringify(exports).match(/(?<=")\.\/[^"*]+(?=")/g)?.filter((target) => /\.\w+$/.test(target)) ?? [];
      assert.ok(targets.length >= 3, name);
      for (const target of targets) assert.ok(files[name]?.includes(target.slice(2)) || target in exports, `${name}: ${target}`);
      for (const path of files[name]?.filter((file) => file.endsWith('.map')) ?? []) {
        const { sources, sourcesContent } = JSON.parse(await readFile(join(home(name), path), 'utf8')) as {
          sources: string[]; sourcesContent?: (string | null)[];
        };
        for (const [at, source] of sources.entries()) {
          const isContained = typeof sourcesContent?.[at] === 'string' || files[name]?.includes(join(dirname(path), source));
          assert.ok(isContained, `${name}: ${path} names ${source}`);
        }
      }
    }
  });

  it('is published publicly and built before', async () => {
    for (const name of ['bff', 'shared', 'widget'] as const) {
      const { publishConfig, scripts } = JSON.parse(await readFile(join(home(name), 'package.json'), 'utf8')) as Record<string, Record<string, string>>;
      assert.equal(publishConfig?.['access'], 'public', name);
      assert.match(scripts?.['prepack'] ?? '', /scripts\/build\.ts$/, name);
    }
  });

  it('declares its exports and nothing internal', async () => {
    for (const name of ['bff', 'shared'] as const) {
      assert.deepEqual(files[name]?.filter((path) => path.endsWith('.d.ts')), ['dist/types/index.d.ts'], name);
      const text = await readFile(join(home(name), 'dist/types/index.d.ts'), 'utf8');
      const declared = [...text.matchAll(/^(?:declare )?(?:abstract )?(?:class|const|enum|function|interface|type) (\w+)/gm)].map(([, id]) => id);
      const exported = new Set([...text.matchAll(/^export (?:type )?\{([^}]+)\}/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []));
      assert.ok(exported.size > 8, name);
      assert.deepEqual([...new Set(declared)].filter((id) => !exported.has(id as string)), [], name);
    }
  });

  it('contains every example of a deployment and of the hooks', async () => {
    for (const folder of ['deploy', 'examples']) {
      const examples = await readdir(resolve(import.meta.dirname, '../../packages/bff', folder));
      const packed = files.bff?.filter((path) => path.startsWith(`${folder}/`)).toSorted();
      assert.deepEqual(packed, examples.map((name) => `${folder}/${name}`).toSorted());
    }
  });

  it('contains the JSON schema of the configuration', async () => {
    const path = createRequire(join(project.directory, 'main.js')).resolve('@vestibule/bff/config.schema.json');
    assert.equal(path, await realpath(join(project.directory, 'node_modules/@vestibule/bff/config.schema.json')));
    const { properties } = JSON.parse(await readFile(path, 'utf8')) as { properties: object };
    assert.ok('VESTIBULE_FORUMS' in properties && 'forums' in properties);
  });

  it('names pino-pretty as an optional peer', async () => {
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(
      await readFile(join(project.directory, 'node_modules/@vestibule/bff/package.json'), 'utf8'),
    ) as Record<string, Record<string, unknown>>;
    assert.deepEqual([Object.keys(peerDependencies ?? {}), peerDependenciesMeta], [['pino-pretty'], { 'pino-pretty': { optional: true } }]);
  });

  it('runs two BFFs in an Express application, each with its own readers, logs nothing, and lets the process exit', async () => {
    const ended = await running('express-app', [configOf('one'), configOf('two')], async (origin) => {
      const visit = await ask(`${origin}/visit`);
      const again = await ask(`${origin}/visit?a[b]=c`, { cookie: cookieOf(visit, 'visited=') });
      assert.deepEqual(await again.json(), { visited: 'yes', query: { a: { b: 'c' } } });
      const reader = await signInAndPost(`${origin}/one`, 'one');
      const other = await signInAndPost(`${origin}/two`, 'two');
      assert.deepEqual(await Promise.all([stateOf(`${origin}/one`, reader), stateOf(`${origin}/two`, other)]), ['signed-in', 'signed-in']);
      assert.deepEqual(await Promise.all([stateOf(`${origin}/two`, reader), stateOf(`${origin}/one`, other)]), ['anonymous', 'anonymous']);
      assert.equal((await ask(`${origin}/one/widget.js`)).headers.get('Content-Type'), 'text/javascript; charset=utf-8');
      assert.equal(await (await ask(`${origin}/elsewhere`)).text(), 'nothing of the application');
    });
    assert.deepEqual(ended, { status: 0, output: [] });
  });

  it('runs the BFF on a plain server, and lets the process exit', async () => {
    const ended = await running('plain-server', { ...configOf('one'), store: `sqlite:${join(project.directory, 'store.db')}` }, async (origin) => {
      const reader = await signInAndPost(`${origin}/one`, 'one');
      assert.equal(await stateOf(`${origin}/one`, reader), 'signed-in');
    });
    assert.deepEqual(ended, { status: 0, output: [] });
  });

  it('contains the command', async () => {
    const bin = join(project.directory, 'node_modules/@vestibule/bff/bin/vestibule.js');
    const env = { PATH: process.env['PATH'] };
    await assert.rejects(run(process.execPath, [bin, 'serve'], { cwd: project.directory, env }), (error: { code: number; stderr: string }) => {
      assert.equal(error.code, 78, error.stderr);
      assert.match(error.stderr, /VESTIBULE_SERVICE_URL/);
      return true;
    });
  });

  it('has declarations that a strict compiler accepts, with skipLibCheck off and no types but @types/node', async () => {
    assert.ok(!(await project.installed()).includes('@types/express'));
    assert.equal(await compile('strict-consumer', 'plain-server'), '');
  });

  it('has a router that the types of Express accept', async () => {
    for (const name of ['@types/express', '@types/cookie-parser']) await project.install(name);
    assert.equal(await compile('express-app'), '');
  });

  /** @returns the messages of the compiler */
  async function compile(...directories: readonly string[]): Promise<string> {
    await writeFile(join(project.directory, 'tsconfig.json'), JSON.stringify({
      compilerOptions: {
        target: 'es2024', lib: ['es2024', 'esnext.disposable'], module: 'nodenext', types: ['node'], noEmit: true, skipLibCheck: false,
        strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noPropertyAccessFromIndexSignature: true,
        noImplicitReturns: true, noUnusedLocals: true, noUnusedParameters: true, verbatimModuleSyntax: true,
      },
      include: directories.map((directory) => `${directory}/main.ts`),
    }));
    const tsc = resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc, '-p', project.directory]).catch((error: { stdout: string }) => error);
    return stdout;
  }
});
