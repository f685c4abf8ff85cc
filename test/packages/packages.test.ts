/** The packages as `npm publish` uploads and `npm install` leaves them in a project (contract, section 4, library). */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import type { VestibuleConfig } from '@vestibule/bff';
import { expectStatus, ReaderClient } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { nodeEnvironment } from '../lib/vestibule-process.ts';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';
import { createProject, NAMES, root, run, type PackageName, type Project } from './_packed.ts';

const ORIGIN = 'http://www.example.com';

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly publishConfig: object;
}

/** With the examples of this folder. */
async function createConsumer(): Promise<Project> {
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { devDependencies: Record<string, string> };
  const others = ['@types/node', '@types/cookie-parser', 'express', 'cookie-parser'].map((name) => `${name}@${devDependencies[name]}`);
  const project = await createProject([...others, '@types/react@19', 'svelte@5', 'vue@3']);
  for (const name of ['express-app', 'strict-consumer', 'framework-pages']) {
    await cp(join(import.meta.dirname, name), join(project.directory, name), { recursive: true });
  }
  return project;
}

describe('a packed package', () => {
  const service = suiteResource<EmulatedService>(() => startEmulatedService({ redirectUris: ['one', 'two'].map(redirectUriOf) }));
  const project = suiteResource(createConsumer);

  const home = (name: PackageName) => join(project().directory, 'node_modules/@vestibule', name);
  const manifestOf = async (name: PackageName) => JSON.parse(await readFile(join(home(name), 'package.json'), 'utf8')) as Manifest;

  it('contains what its exports name, the license, and no tests; it is public', async () => {
    for (const name of NAMES) {
      const files = project().files[name];
      const { exports, publishConfig } = await manifestOf(name);
      const targets = Object.values(exports).flatMap((target) => (typeof target === 'string' ? target : Object.values(target)));
      assert.deepEqual(targets.filter((target) => !target.includes('*') && !files.includes(target.slice(2))), [], name);
      assert.ok(files.includes('LICENSE'), name);
      assert.deepEqual(files.filter((path) => /(?:^|\/)(?:test|_[^/]*|[^/]*\.(?:node-)?test\.[^/]*)(?:\/|$)/.test(path)), [], name);
      assert.deepEqual(publishConfig, { access: 'public' });
    }
    const bff = project().files.bff;
    const required = ['bin/vestibule.js', 'dist/widget/widget.js', 'dist/widget/widget.js.br', 'dist/widget/licenses.md', 'reference.md', 'settings.md', ...await filesIn('deploy'), ...await filesIn('examples')];
    assert.deepEqual(required.filter((path) => !bff.includes(path)), []);
    assert.ok(project().files.widget.includes('dist/browser/widget.js'));
    assert.match(await readFile(join(home('widget'), 'dist/browser/licenses.md'), 'utf8'), /lit-html.+\n+BSD 3-Clause License\n\nCopyright/);
  });

  for (const name of NAMES) {
    it(`has no fault that publint finds: ${name}`, async () => {
      const { stdout } = await run(process.execPath, [join(root, 'node_modules/publint/src/cli.js'), '--strict', home(name)])
        .catch((error: { stdout: string; stderr: string }) => assert.fail(error.stdout + error.stderr));
      assert.match(stdout, /All good!/);
    });
  }

  it('contains the command', async () => {
    const bin = join(project().directory, 'node_modules/.bin/vestibule');
    const error = await run(process.execPath, [bin], { cwd: project().directory, env: nodeEnvironment() }).then(
      () => assert.fail('it started'), (reason: { code: number; stderr: string }) => reason,
    );
    assert.equal(error.code, 78, error.stderr);
    assert.match(error.stderr, /VESTIBULE_SERVICE_URL/);
  });

  it('runs two BFFs in an Express application, each with its own readers, logs nothing, and lets the process exit', async () => {
    const ended = await running('express-app/main.ts', [configOf('one'), configOf('two')], async (server) => {
      const [one, two] = ['one', 'two'].map((name) => readerOf(server, name)) as [ReaderClient, ReaderClient];
      for (const reader of [one, two]) {
        await reader.signIn();
        expectStatus(await reader.createPost('Hello'), 201);
      }
      const copied = readerOf(server, 'two').keepCookies(one.cookies());
      assert.deepEqual([await one.state(), await two.state(), await copied.state()], ['signed-in', 'signed-in', 'anonymous']);
      assert.equal((await one.get('/widget.js')).headers['content-type'], 'text/javascript; charset=utf-8');
      const application = readerOf(server, '').agent;
      await application.get('/visit');
      assert.deepEqual((await application.get('/visit?a[b]=c')).body, { visited: 'yes', query: { a: { b: 'c' } } });
      assert.equal((await application.get('/elsewhere')).text, 'nothing of the application');
    });
    assert.deepEqual(ended, { status: 0, output: [] });
  });

  it('defines nothing and throws nothing on a server, nor does a part of it', async () => {
    const inBrowsers = ['dist/esm/element/start.js', 'dist/esm/widget.js'];
    const modules = ['@vestibule/widget', '@vestibule/widget/define', '@vestibule/widget/browser/count.js', ...project().files.widget
      .filter((path) => /^dist\/esm\/.*\.js$/.test(path) && !inBrowsers.includes(path)).map((path) => join(home('widget'), path))];
    const script = `for (const module of ${JSON.stringify(modules)}) await import(module);
      const names = ['comments', 'count', 'sync', 'thread'].map((name) => 'vestibule-' + name);
      console.log(names.filter((name) => globalThis.customElements?.get(name)), typeof HTMLElement, typeof document);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: project().directory });
    assert.equal(stdout, '[] undefined undefined\n');
  });

  it('has declarations that a strict compiler accepts, with skipLibCheck off; Express accepts the router', async () => {
    assert.equal(await compile({}, 'strict-consumer', 'express-app'), '');
  });

  it('has typings for React, Svelte, Vue and other JSX: properties, events, and what each framework has for every element', async () => {
    assert.equal(await compile({ module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx', skipLibCheck: true }, 'framework-pages'), '');
  });

  function redirectUriOf(name: string): string {
    return `${ORIGIN}/${name}/sync/return`;
  }

  function configOf(name: string): VestibuleConfig {
    const { url, publicKey, secretKey } = service();
    return {
      serviceUrl: url, publicKey, secretKey, forums: ['news'], publicUrl: `${ORIGIN}/${name}`, store: 'memory:',
      cookieSecrets: [`a-cookie-secret-of-${name}-of-32-bytes-or-more`],
    };
  }

  function readerOf(server: string, name: string): ReaderClient {
    return new ReaderClient({ server, path: `/${name}`, origin: ORIGIN, redirectUri: redirectUriOf(name), service: service() });
  }

  async function filesIn(folder: string): Promise<readonly string[]> {
    return (await readdir(join(root, 'packages/bff', folder))).map((name) => `${folder}/${name}`);
  }

  /** Runs a script of the project until `use` ends, then closes its input. @returns its status, and its output after the port */
  async function running(script: string, config: unknown, use: (origin: string) => Promise<void>) {
    const child = spawn(process.execPath, [script, JSON.stringify(config)], {
      cwd: project().directory, env: nodeEnvironment(), stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close') as Promise<[number | null]>;
    const output: string[] = [];
    const lines = createInterface(child.stdout);
    try {
      const dead = ended.then(() => { throw new Error('the script ended before it listened'); });
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

  /** @returns the messages of the compiler */
  async function compile(options: object, ...directories: readonly string[]): Promise<string> {
    await writeFile(join(project().directory, 'tsconfig.json'), JSON.stringify({
      compilerOptions: {
        target: 'es2024', lib: ['es2024', 'esnext.disposable', 'dom', 'dom.iterable'], module: 'nodenext', types: ['node'], noEmit: true, skipLibCheck: false,
        strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noPropertyAccessFromIndexSignature: true,
        noImplicitReturns: true, noUnusedLocals: true, noUnusedParameters: true, verbatimModuleSyntax: true, ...options,
      },
      include: directories,
    }));
    const { stdout } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project().directory])
      .catch((error: { stdout: string }) => error);
    return stdout;
  }
});
