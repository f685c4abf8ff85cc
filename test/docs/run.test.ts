/** The modules of docs/extend.md and of the packages' READMEs, run as they are before the emulated service in both shapes. Their
 *  addresses, keys and ports give way to those of the test. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import type { SyncOutcome } from '@vestibule/shared';
import { startBff } from '../lib/bff.ts';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { PUBLIC_URL, startProcess } from '../lib/bff-process.ts';
import { freePort } from '../lib/free-port.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { expectProblem, expectStatus, ReaderClient } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';
import { nodeEnvironment } from '../lib/vestibule-process.ts';
import { realWorldShapes, startEmulatedService } from '../service/index.ts';
import { codeBlocks, root } from './_documents.ts';

const MODULES = ['@vestibule', 'express', 'pino'];

const origin = new URL(PUBLIC_URL).origin;

const page = `${origin}/article`;

/** Starts a module with `node`. @returns the process, and its status and output at its end */
function run(file: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [file], { cwd: join(file, '..'), env: { ...nodeEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = Promise.all([once(child, 'close') as Promise<[number | null]>, text(child.stdout)]).then(([[status], output]) => ({ status, output }));
  return { child, ended };
}

describe('the code of the documentation', async () => {
  const blocks = await codeBlocks('js', 'ts');
  const directory = suiteResource(async () => {
    const temporary = await temporaryDirectory();
    await mkdir(join(temporary.path, 'node_modules'));
    for (const name of MODULES) await symlink(join(root, 'node_modules', name), join(temporary.path, 'node_modules', name));
    return temporary;
  });
  let files = 0;

  /** Writes the one block of `document` that has `words`. @returns its path */
  async function write(document: string, words: string, replacements: Readonly<Record<string, string>> = {}, before = ''): Promise<string> {
    const [block, ...others] = blocks.filter(({ place, code }) => place.startsWith(`${document}:`) && code.includes(words));
    assert.ok(block && others.length === 0, words);
    const code = Object.entries(replacements).reduce((changed, [old, now]) => {
      assert.ok(changed.includes(old), old);
      return changed.replaceAll(old, now);
    }, block.code);
    const path = join(directory().path, `block-${files += 1}.${block.language === 'js' ? 'mjs' : 'mts'}`);
    await writeFile(path, before + code);
    return path;
  }

  for (const [name, shapes] of [['the service of the interface', []], ['a service with real shapes', realWorldShapes]] as const) {
    describe(`before ${name}`, () => {
      const start = () => startEmulatedService({ redirectUris: [`${PUBLIC_URL}/sync/return`], realWorldShapes: shapes });
      const service = suiteResource(start);
      const readerOf = (server: string) => (
        new ReaderClient({ server, path: '/vestibule', origin, redirectUri: `${PUBLIC_URL}/sync/return`, service: service() })
      );

      const startConfigured = async (config: string) => startProcess(bffEnvironment(service(), PUBLIC_URL, {
        VESTIBULE_CONFIG: config, VESTIBULE_STORE: 'memory:',
      }));

      it('asks questions, rejects a reader, and forwards the answers of another', async () => {
        const received: unknown[] = [];
        const crm = createServer((req, res) => {
          void text(req).then((body) => {
            if (req.method === 'PUT') received.push([req.url, JSON.parse(body)]);
            res.statusCode = req.url === '/postcodes/00000' ? 404 : 200;
            res.end();
          });
        });
        try {
          const config = await write('docs/extend.md', 'crm.example.com', { 'https://crm.example.com': await listen(crm) });
          await using bff = await startConfigured(config);
          const [ada, joerg] = [bff.browser(service()), bff.browser(service())];
          await joerg.begin(joerg.issueReturn(service().readers[1]));
          const { outcome, reason } = (await joerg.validate({ age: 17, postcode: '10115', rules: true })).body as SyncOutcome;
          assert.deepEqual([outcome, reason], ['rejected', 'You must be 18 or older to comment here.']);
          await ada.begin();
          const refused = await ada.validate({ age: 41, postcode: '00000', rules: true });
          assert.deepEqual(expectProblem(refused, 'invalid-answers').fields, { postcode: 'We do not know this postcode.' });
          const answers = { age: 41, postcode: '10115', rules: true };
          // If the exchange returns no name, the reader confirms the id first.
          const first = await ada.validate(answers);
          const accepted = first.status === 409 ? await ada.validate(answers) : first;
          assert.equal((accepted.body as SyncOutcome).outcome, 'accepted');
          const { username } = await ada.user() ?? {};
          assert.deepEqual(received, [['/readers/31007', { username, answers }]]);
          expectStatus(await ada.createPost('Hello'), 201);
        } finally {
          await closeServer(crm);
        }
      });

      it('closes an article after two weeks, and refuses a banned reader and links', async () => {
        const opened = { 'https://www.example.com/article': page, '2026-01-31T06:00:00Z': new Date().toISOString() };
        await using bff = await startConfigured(await write('docs/extend.md', 'OPEN_MS', opened));
        const [ada, joerg] = [bff.browser(service()), bff.browser(service())];
        await ada.signIn();
        await joerg.signIn(service().readers[1]);
        const post = (reader: ReaderClient, message: string, address = page) => (
          reader.post('/posts', { forum: 'news', message, page: address }).set('Idempotency-Key', crypto.randomUUID())
        );
        expectStatus(await post(ada, 'Hello'), 201);
        const refusal = async (...args: Parameters<typeof post>) => expectProblem(await post(...args), 'post-rejected').detail;
        assert.deepEqual([await refusal(ada, 'Hello', `${origin}/old`), await refusal(joerg, 'Hello'), await refusal(ada, 'See https://a.example')], [
          'Comments are closed here.', 'You cannot comment here.', 'Please post without links.',
        ]);
        await using later = await startConfigured(await write('docs/extend.md', 'OPEN_MS', { 'https://www.example.com/article': page }));
        const reader = later.browser(service());
        await reader.signIn();
        assert.equal(await refusal(reader, 'Hello'), 'Comments are closed here.');
      });

      it('filters spam, mails replies, and holds comments for approval', async () => {
        const received: Record<string, unknown>[] = [];
        const other = createServer((req, res) => {
          void text(req).then((body) => {
            received.push(JSON.parse(body) as Record<string, unknown>);
            res.end(JSON.stringify({ isSpam: body.includes('buy') }));
          });
        });
        const withThreads = await startEmulatedService({ redirectUris: [`${PUBLIC_URL}/sync/return`], threads: true, realWorldShapes: shapes });
        const address = await listen(other);
        const post = (reader: ReaderClient, message: string, parent?: string) => (
          reader.post('/posts', { forum: 'news', message, page, parent }).set('Idempotency-Key', crypto.randomUUID())
        );
        const startRecipe = async (name: string, replacements = {}) => startProcess(bffEnvironment(withThreads, PUBLIC_URL, {
          VESTIBULE_CONFIG: await write(`packages/bff/examples/${name}.mjs`, 'defineConfig', replacements), VESTIBULE_STORE: 'memory:',
        }));
        try {
          {
            await using bff = await startRecipe('spam-filter', { 'https://spam.example.com': address });
            const reader = bff.browser(withThreads);
            await reader.signIn();
            assert.match(expectProblem(await post(reader, 'buy'), 'post-rejected').detail, /advertising/);
            expectStatus(await post(reader, 'Hello').set('User-Agent', 'Courier/1'), 201);
            const { ip, agent } = received.at(-1) ?? {};
            assert.deepEqual([ip, agent], ['127.0.0.1', 'Courier/1']);
          }
          {
            await using bff = await startRecipe('reply-mail', { 'https://mail.example.com': address });
            const [ada, joerg] = [bff.browser(withThreads), bff.browser(withThreads)];
            await ada.signIn(withThreads.readers[0], { mail: 'ada@example.com' });
            await joerg.signIn(withThreads.readers[1]);
            const { id } = ((await post(ada, 'First')).body as { post: { id: string | number } }).post;
            expectStatus(await post(joerg, 'Reply', String(id)), 201);
            // An unproven user gets no mail: the browser claims the id.
            const isProven = !(shapes as readonly string[]).includes('access-token-only');
            assert.deepEqual(received.slice(2).map(({ to }) => to), isProven ? ['ada@example.com'] : []);
          }
        } finally {
          await withThreads[Symbol.asyncDispose]();
          await closeServer(other);
        }
      });

      it('runs in an Express application, and ends at SIGTERM', async () => {
        const port = await freePort();
        const path = await write('docs/extend.md', 'const app = express()', { 3000: String(port) });
        const { child, ended } = run(path, bffEnvironment(service(), PUBLIC_URL, { VESTIBULE_STORE: 'memory:' }));
        try {
          const application = `http://127.0.0.1:${port}`;
          await until('the application listens', async () => (await fetch(`${application}/vestibule/healthz`)).ok);
          const reader = readerOf(application);
          await reader.signIn();
          expectStatus(await reader.createPost('Hello'), 201);
          // A user whom the token exchange does not name is not proven.
          const isProven = !(shapes as readonly string[]).includes('access-token-only');
          assert.equal((await reader.agent.get('/account')).body.user_id, isProven ? '31007' : null);
          expectStatus(await reader.get('/nothing'), 404);
        } finally {
          child.kill('SIGTERM');
        }
        const { status, output } = await ended;
        assert.equal(status, 0);
        assert.match(output, /"route":"\/posts","status":201/);
      });

      it('runs before the handler of another framework', async () => {
        const port = await freePort();
        const path = await write('docs/extend.md', 'The rest of the site', { 3000: String(port) });
        const { child, ended } = run(path, bffEnvironment(service(), PUBLIC_URL, { VESTIBULE_STORE: 'memory:' }));
        try {
          const application = `http://127.0.0.1:${port}`;
          await until('the application listens', async () => (await fetch(`${application}/vestibule/healthz`)).ok);
          await readerOf(application).signIn();
          for (const path of ['/', '/vestibule/nothing']) assert.equal(await (await fetch(application + path)).text(), 'The rest of the site');
        } finally {
          child.kill('SIGTERM');
          await ended;
        }
      });

      it('posts with a client of the publisher’s own', async () => {
        await using bff = await startBff({ serviceOptions: { realWorldShapes: shapes } });
        const reader = bff.browser();
        await reader.signIn();
        // What a browser adds.
        const before = 'const fetch = (path: string, init: RequestInit = {}) => globalThis.fetch(process.env["ORIGIN"] + path, '
          + '{ ...init, headers: { ...init.headers, Cookie: process.env["COOKIE"] ?? "", Origin: process.env["ORIGIN"] ?? "" } });\n';
        const { ended } = run(await write('packages/shared/README.md', 'const draft', {}, before), { ORIGIN: bff.origin, COOKIE: reader.cookies() });
        const { status, output } = await ended;
        assert.equal(status, 0);
        assert.ok(output.includes('Thank you for this.'), output);
        assert.deepEqual(bff.service.posts.map(({ message }) => message), ['Thank you for this.']);
      });
    });
  }

  it('prints what is wrong with an answer', async () => {
    assert.equal((await run(await write('packages/shared/README.md', 'checkAnswer(age')).ended).output, "[ 'too-low', false ]\n");
  });
});
