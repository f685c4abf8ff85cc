/** `vestibule serve` as a process (contract, section 4). */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { bffEnvironment } from '../lib/bff-environment.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { runVestibule } from '../lib/vestibule-process.ts';
import type { SessionView } from '@vestibule/shared';
import { startEmulatedService, type EmulatedService } from '../service/index.ts';
import { Client, PUBLIC_URL, startProcess } from '../lib/bff-process.ts';

let service: EmulatedService;
let env: Readonly<Record<string, string>>;
before(async () => {
  service = await startEmulatedService({ redirectUris: [`${PUBLIC_URL}/sync/return`] });
  env = bffEnvironment(service, PUBLIC_URL, { VESTIBULE_STORE: 'memory:' });
});
after(() => service[Symbol.asyncDispose]());

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('a start with a bad configuration', () => {
  it('ends with status 78 and every fault on a line of its own, and prints no secret', async () => {
    await using directory = await temporaryDirectory();
    const config = join(directory.path, 'vestibule.config.json');
    writeFileSync(config, JSON.stringify({ typo: 'canary', validation: { fields: [{ name: '1', type: 'text', label: 'x' }] } }));
    const { status, stdout, stderr } = await runVestibule({ env: {
      VESTIBULE_SERVICE_URL: 'canary.example',
      VESTIBULE_PUBLIC_KEY: 'canary"',
      VESTIBULE_FORUMS: 'no canary',
      VESTIBULE_PUBLIC_URL: 'ftp://canary',
      VESTIBULE_ALLOWED_ORIGINS: 'https://canary.example/path',
      VESTIBULE_REDIRECT_URI: 'canary',
      VESTIBULE_COOKIE_SECRETS: `${'canary'.repeat(6)},canary`,
      VESTIBULE_STORE: 'mysql://canary',
      VESTIBULE_RATE_LIMITS: 'canary',
      VESTIBULE_MESSAGE_MAX_LENGTH: 'canary',
      VESTIBULE_ADMIN_PORT: '65536',
      VESTIBULE_CONFIG: config,
      HOST_FILE: '/nonexistent/canary',
      PORT: 'canary',
      LOG_LEVEL: 'canary',
    } });
    assert.equal(status, 78);
    assert.equal(stdout, '');
    assert.deepEqual(linesOf(stderr).map((line) => line.replace(/: .*/, '')).sort(), [
      'HOST_FILE', 'LOG_LEVEL', 'PORT', 'VESTIBULE_ADMIN_PORT', 'VESTIBULE_ALLOWED_ORIGINS, item 1', 'VESTIBULE_COOKIE_SECRETS, item 2', 'VESTIBULE_FORUMS, item 1',
      'VESTIBULE_MESSAGE_MAX_LENGTH', 'VESTIBULE_PUBLIC_KEY', 'VESTIBULE_PUBLIC_URL', 'VESTIBULE_RATE_LIMITS', 'VESTIBULE_REDIRECT_URI',
      'VESTIBULE_SECRET_KEY', 'VESTIBULE_SERVICE_URL', 'VESTIBULE_STORE', 'typo', 'validation.fields, item 1, name',
    ].sort());
    for (const line of linesOf(stderr)) assert.match(line, /^[\w., ]+: .{5,}/);
    assert.doesNotMatch(stderr, /canary/);
  });

  it('names each required setting that is missing', async () => {
    const { status, stderr } = await runVestibule({ args: ['serve'] });
    assert.equal(status, 78);
    assert.deepEqual(linesOf(stderr).map((line) => line.replace(/; must .*/, '')).toSorted(), [
      'VESTIBULE_COOKIE_SECRETS', 'VESTIBULE_FORUMS', 'VESTIBULE_PUBLIC_KEY', 'VESTIBULE_PUBLIC_URL', 'VESTIBULE_SECRET_KEY', 'VESTIBULE_SERVICE_URL',
    ].map((variable) => `${variable}: is required`));
  });

  it('names a store that cannot be opened', async () => {
    const { status, stderr } = await runVestibule({ env: { ...env, VESTIBULE_STORE: 'sqlite:/nonexistent/directory/store.db' } });
    assert.equal(status, 78);
    assert.equal(linesOf(stderr).length, 1);
    assert.match(stderr, /^VESTIBULE_STORE: /);
  });

  it('does not know other commands', async () => {
    const { status, stdout, stderr } = await runVestibule({ args: ['nonsense'], env });
    assert.notEqual(status, 0);
    assert.notEqual(status, 78);
    assert.equal(stdout, '');
    assert.ok(linesOf(stderr).length > 0);
  });
});

describe('vestibule serve', () => {
  it('answers under the path of its public URL, and about its health at the root too', async () => {
    await using bff = await startProcess(env, ['serve']);
    for (const path of ['/healthz', '/readyz', '/vestibule/healthz', '/vestibule/readyz', '/vestibule/session']) {
      const response = await fetch(bff.origin + path);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get('cache-control'), 'no-store', path);
      assert.equal(response.headers.get('x-powered-by'), null);
      await response.body?.cancel();
    }
    for (const path of ['/session', '/', '/vestibules/session', '/posts', '/widget.js']) {
      const response = await fetch(bff.origin + path);
      assert.equal(response.status, 404, path);
      assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/);
      assert.equal(response.headers.get('cache-control'), 'no-store', path);
      assert.equal((await response.json() as { type: string }).type, 'urn:vestibule:not-found');
    }
  });

  it('answers at the root where its public URL has no path', async () => {
    await using bff = await startProcess({ ...env, VESTIBULE_PUBLIC_URL: 'http://www.example.com/' });
    assert.equal((await fetch(`${bff.origin}/session`)).status, 200);
    assert.equal((await fetch(`${bff.origin}/healthz`)).status, 200);
  });

  it('signs a reader in and creates a post', async () => {
    await using bff = await startProcess(env);
    const client = new Client();
    await client.signIn(bff, service);
    assert.equal((await client.createPost(bff, 'from a process', 'key-of-a-process')).status, 201);
    assert.equal(service.posts.at(-1)?.message, 'from a process');
  });

  it('takes secrets from files and questions from a module', async () => {
    await using directory = await temporaryDirectory();
    const secret = join(directory.path, 'secret');
    const config = join(directory.path, 'vestibule.config.mjs');
    writeFileSync(secret, `${service.secretKey}\n`);
    writeFileSync(config, `export default { validation: { fields: [{ name: 'age', type: 'number', label: 'Age', required: true }] }, port: 1 };`);
    const { VESTIBULE_SECRET_KEY: _, ...rest } = env;
    await using bff = await startProcess({ ...rest, VESTIBULE_SECRET_KEY_FILE: secret, VESTIBULE_CONFIG: config });
    const client = new Client();
    const validation = await client.begin(bff, service.issueReturn({ redirectUri: `${PUBLIC_URL}/sync/return` }), { age: 5 });
    const { sync } = await (await client.ask(bff, 'GET', '/session')).json() as SessionView;
    assert.deepEqual(sync?.form.fields.map(({ name }) => name), ['age']);
    assert.equal((await client.ask(bff, 'POST', '/sync/validation', validation)).status, 200);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends with status 0 at ${signal}, idle connections or not`, async () => {
      await using bff = await startProcess(env);
      const idle = connect(Number(new URL(bff.origin).port), '127.0.0.1');
      idle.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
      await once(idle, 'data');
      const { status, stdout, stderr } = await bff.process.kill(signal);
      assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
      const lines = linesOf(stdout).map((line) => JSON.parse(line) as { msg: string; check?: string });
      assert.deepEqual(lines.filter(({ check }) => check === undefined).map(({ msg }) => msg), ['listening', 'draining', 'stopped']);
    });
  }

  it('answers what is under way before it ends', async () => {
    await using bff = await startProcess(env);
    const client = new Client();
    await client.signIn(bff, service);
    service.faults.next('posts', { kind: 'delay', delayMs: 300 });
    const received = service.whenReceived('posts');
    const post = client.createPost(bff, 'just in time', 'key-just-in-time');
    await received;
    const ended = bff.process.kill('SIGTERM');
    assert.equal((await post).status, 201);
    assert.equal((await ended).status, 0);
    await assert.rejects(fetch(`${bff.origin}/healthz`));
  });

  it('prints no secret at any level', async () => {
    await using bff = await startProcess({ ...env, LOG_LEVEL: 'trace' });
    const client = new Client();
    await client.signIn(bff, service);
    service.faults.next('posts', { kind: 'reset' });
    await client.createPost(bff, 'a text of the reader', 'key-of-an-unlucky-one');
    const { stdout, stderr } = await bff.process.kill('SIGTERM');
    for (const secret of [service.secretKey, env['VESTIBULE_COOKIE_SECRETS'], client.cookies.header?.split('=')[1], 'a text of the reader']) {
      assert.ok(secret && !(stdout + stderr).includes(secret));
    }
    assert.match(stdout, /"route":"\/posts","status":504/);
  });
});
