/** `vestibule check`, `sign` and `profiles`, help and exit statuses (contract, section 4). */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, readFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findings } from '../../packages/bff/src/cli/check/check.ts';
import { loadConfig } from '../../packages/bff/src/config/load-config.ts';
import { runVestibule, VestibuleProcess, type Ended } from '../lib/vestibule-process.ts';
import { LoadReader } from '../load/_reader.ts';
import { makeSelfSigned } from '../tls/self-signed.ts';
import { macVectors, type MacVector } from '../signing/mac-signing.ts';
import { ORIGIN, REDIRECT_URI, startProcessWorld, type ProcessWorld } from './_service.ts';

let world: ProcessWorld;
before(async () => { world = await startProcessWorld(); });
after(() => world[Symbol.asyncDispose]());

type Environment = Readonly<Record<string, string>>;

const run = (args: readonly string[], env: Environment = world.env): Promise<Ended> => runVestibule({ args, env });

describe('vestibule', () => {
  it('explains each command with an example', async () => {
    const { status, stdout } = await run(['--help'], {});
    assert.equal(status, 0);
    const words = ['serve', 'check', 'sign', 'profiles', 'readers', 'backup', 'log-id', 'Exit statuses:', '64', '69', '78', '143'];
    assert.deepEqual(words.filter((word) => !stdout.includes(word)), []);
    await Promise.all(['serve', 'check', 'sign', 'profiles', 'readers', 'backup'].map(async (command) => {
      const help = await run([command, '--help'], {});
      assert.deepEqual([help.status, help.stderr], [0, '']);
      assert.match(help.stdout, /Examples?:\n +\$ .*vestibule|Example:\n +\$ VESTIBULE/, command);
    }));
  });

  it('prints its version', async () => {
    const manifest = await readFile(new URL('../../packages/bff/package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    assert.deepEqual(await run(['--version'], {}), { status: 0, signal: null, stdout: version, stderr: '' });
  });

  it('exits with 64 for a wrong command line', async () => {
    const lines = ['nonsense', 'serve more', 'check --loud', 'sign', 'sign POST', 'profiles --since', 'readers delete', 'readers export', 'backup', 'log-id'];
    await Promise.all(lines.map(async (line) => {
      const { status, stdout, stderr } = await run(line.split(' '), {});
      assert.deepEqual([status, stdout], [64, ''], line);
      assert.match(stderr, /^error: .*\nRun vestibule --help/, line);
    }));
  });
});

describe('vestibule check', () => {
  type Found = Readonly<Record<string, readonly [status: string, message: string]>>;

  /** Findings of a process by the name of the check; the last one of a name. */
  const check = async (changes: Environment) => {
    const { status, stdout, stderr } = await run(['check'], { ...world.env, ...changes });
    assert.equal(stderr, '');
    const lines = stdout.split('\n').map((line) => /^(ok|warn|fail) +(\w[\w ]*?)  +(.+)$/.exec(line) ?? assert.fail(line));
    const found: Found = Object.fromEntries(lines.map(([, outcome = '', name = '', words = '']) => [name, [outcome, words] as const]));
    return { status, stdout, found };
  };

  /** The same without a process. */
  const find = async (changes: Environment): Promise<Found> => {
    const all = await Array.fromAsync(findings(await loadConfig({ ...world.env, ...isFine, ...changes })));
    return Object.fromEntries(all.map(({ name, status, message }) => [name, [status, message] as const]));
  };
  const isFine = { VESTIBULE_PUBLIC_URL: 'https://www.example.test/vestibule', VESTIBULE_TRUST_PROXY: 'loopback' };

  it('finds no fault in a complete configuration, and prints no secret', async () => {
    const { status, stdout, found } = await check(isFine);
    assert.equal(status, 0);
    const names = ['settings', 'public url', 'origins', 'redirect uri', 'proxy', 'widget', 'store', 'cookie secrets', 'service', 'tls', 'clock', 'keys',
      'registration', 'forums'];
    assert.deepEqual(Object.entries(found).map(([name, [outcome]]) => [name, outcome]), names.map((name) => [name, 'ok']));
    assert.ok(!stdout.includes(world.service.secretKey));
  });

  it('reports an archive of widget files that cannot be used', async () => {
    const file = join(world.directory, 'no directory');
    await writeFile(file, '');
    for (const [VESTIBULE_WIDGET_ARCHIVE, status] of [[file, 'fail'], [join(file, 'archive'), 'fail'], [join(world.directory, 'archive'), 'ok']] as const) {
      assert.equal((await find({ VESTIBULE_WIDGET_ARCHIVE }))['widget']?.[0], status, VESTIBULE_WIDGET_ARCHIVE);
    }
  });

  it('prints every fault of the settings and exits with 78', async () => {
    const { status, stdout } = await check({ VESTIBULE_FORUMS: '', VESTIBULE_SERVICE_URL: 'nonsense' });
    assert.equal(status, 78);
    assert.equal(stdout.split('\n').filter((line) => line.startsWith('fail  settings')).length, 2);
  });

  it('reports keys that the service refuses', async () => {
    const { status, found } = await check({ ...isFine, VESTIBULE_SECRET_KEY: 'canary-of-a-secret' });
    assert.deepEqual([status, found['keys']?.[0]], [1, 'fail']);
    assert.equal((await find({ VESTIBULE_SECRET_KEY: world.service.publicKey }))['keys']?.[0], 'fail');
    assert.equal((await find({ VESTIBULE_SECRET_KEY: ` ${world.service.secretKey}` }))['keys']?.[0], 'fail');
  });

  it('does not claim that the keys are right if the service responds the same to a wrong key', async () => {
    world.service.faults.always('token', { kind: 'status', status: 400, body: { error: 'invalid_grant' } });
    const { status, found } = await check(isFine);
    world.service.faults.clear();
    assert.deepEqual([status, found['keys']], [0, ['warn', 'not proved: the service responds the same to a wrong secret key']]);
  });

  it('does not claim that the redirect URI and the forums are right if the service shows its page for any of them', async () => {
    world.service.faults.always('authorize', { kind: 'html' });
    const found = await find({});
    world.service.faults.clear();
    assert.deepEqual([found['registration'], found['forums']], [
      ['warn', 'not proved: the service responds the same to a redirect URI that is not registered'],
      ['warn', 'news: not proved: the service responds the same to an unknown forum'],
    ]);
  });

  it('says that nothing is proved where the deliberately wrong request gets no verdict', async () => {
    const { faults } = world.service;
    const [none, busy] = [{ kind: 'status', status: 500 }, { kind: 'status', status: 429 }] as const;
    const pass = undefined;
    const found = async (endpoint: 'token' | 'authorize', ...responses: readonly (typeof none | typeof busy | undefined)[]) => {
      faults.next(endpoint, ...responses);
      try {
        return await find({});
      } finally {
        faults.clear();
      }
    };
    for (const fault of [none, busy]) {
      assert.deepEqual((await found('token', pass, fault))['keys'], ['warn', 'not proved: the service did not respond to a wrong secret key']);
      assert.deepEqual((await found('authorize', fault))['registration'], ['warn', 'not proved: the service did not respond']);
      assert.deepEqual((await found('authorize', pass, fault))['forums'], ['warn', 'news: not proved: the service did not respond to an unknown forum']);
      assert.deepEqual((await found('authorize', pass, pass, fault))['registration'], [
        'warn', 'not proved: the service did not respond to a redirect URI that is not registered',
      ]);
      assert.deepEqual((await found('authorize', pass, pass, pass, fault))['forums'], ['warn', 'news: not proved: the service did not respond with its page']);
    }
  });

  it('reports variables that are not settings', async () => {
    const { status, stdout } = await check({ ...isFine, VESTIBULE_TRUST_PROXIES: 'canary' });
    assert.equal(status, 0);
    assert.match(stdout, /^warn +settings +VESTIBULE_TRUST_PROXIES is not a setting/m);
    assert.doesNotMatch(stdout, /canary/);
  });

  it('reports another server, or another path, at the service\'s URL', async () => {
    const found = await find({ VESTIBULE_SERVICE_URL: `${world.service.url}/elsewhere` });
    assert.equal(found['keys']?.[0], 'fail');
    assert.match(found['keys']?.[1] ?? '', /check VESTIBULE_SERVICE_URL, including its path$/);
    const tls = await find({ VESTIBULE_SERVICE_URL: world.service.url.replace('http:', 'https:') });
    assert.match(tls['service']?.join(' ') ?? '', /^fail .* does not speak TLS/);
  });

  it('says what to do if the connection is refused, the host does not resolve, or there is no response', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    for (const [url, words] of [
      ['http://127.0.0.1:1', /connection is refused/],
      ['http://vestibule.invalid', /does not resolve/],
      [`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, /^no response.*firewall/],
    ] as const) {
      const found = await find({ VESTIBULE_SERVICE_URL: url, VESTIBULE_SERVICE_TIMEOUT_MS: '1000' });
      assert.deepEqual([found['service']?.[0], found['keys']?.[0]], ['fail', 'warn']);
      assert.match(found['service']?.[1] ?? '', words);
    }
    silent.close();
  });

  it('reports an untrusted certificate and says how to trust it', async () => {
    const { certificate: cert, key } = makeSelfSigned();
    const server = createTlsServer({ cert, key }, (_req, res) => { res.end(); }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const changes = { ...isFine, VESTIBULE_SERVICE_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
    assert.match((await find(changes))['service']?.[1] ?? '', /is not trusted \(\w+\).*NODE_EXTRA_CA_CERTS/);
    const path = join(world.directory, 'authority.pem');
    await writeFile(path, cert);
    const { found } = await check({ ...changes, NODE_EXTRA_CA_CERTS: path });
    assert.deepEqual([found['service']?.[0], found['tls']], ['ok', ['warn', 'the certificate expires in 0 days: ask the service to renew it']]);
    server.closeAllConnections();
    server.close();
  });

  it('reports the clock drift', async () => {
    world.service.clockOffsetMs = -4_000_000;
    assert.match((await find({}))['clock']?.join(' ') ?? '', /^warn .*(?:399[89]|4000) s behind/);
    world.service.clockOffsetMs = 2 * 86_400_000;
    assert.match((await find({}))['clock']?.join(' ') ?? '', /^fail .*more than 1 day/);
    world.service.clockOffsetMs = 0;
  });

  it('reports a store that cannot be opened, and a memory store', async () => {
    assert.match((await find({ VESTIBULE_STORE: 'sqlite:/nonexistent/store.db' }))['store']?.join(' ') ?? '', /^fail VESTIBULE_STORE: /);
    assert.match((await find({}))['store']?.join(' ') ?? '', new RegExp(`^ok sqlite at ${world.directory}/store\\.db, `));
    assert.match((await find({ VESTIBULE_STORE: 'memory:' }))['store']?.join(' ') ?? '', /^warn .*loses everything when the process ends/);
  });
});

describe('vestibule sign', () => {
  const keysOf = ({ id, key }: Pick<MacVector, 'id' | 'key'>) => ({ VESTIBULE_PUBLIC_KEY: id, VESTIBULE_SECRET_KEY: key });

  for (const vector of macVectors) {
    it(`prints each step of the published vector ${vector.name}`, async () => {
      const { id, key, nonce, method, host, path, params, normalized, bodyHash, requestString, mac } = vector;
      const pairs = (params ?? []).map((pair) => pair.join('='));
      const { status, stdout } = await run(['sign', method, `http://${host}${path}`, ...pairs, '--nonce', nonce], keysOf({ id, key }));
      assert.equal(status, 0);
      for (const step of [normalized, bodyHash, nonce, mac, `MAC id="${id}", nonce="${nonce}", body-hash="${bodyHash}", mac="${mac}"`]) {
        assert.ok(stdout.includes(step), step);
      }
      assert.ok(stdout.replace(/^4 {2}request string */m, '').replace(/^ +/gm, '').includes(requestString.replaceAll('\n', '\\n\n').trimEnd()));
      assert.ok(!stdout.includes(key));
    });
  }

  const [vector] = macVectors as [MacVector];
  const args = ['sign', 'POST', 'http://disqus.com/api/3.0/posts/create.json', 'forum=disqus', 'message=hello world'];

  it('signs on behalf of a user without printing the token', async () => {
    const path = join(world.directory, 'token');
    await writeFile(path, 'canary-of-a-token\n');
    const { status, stdout } = await run([...args, '--access-token-file', path], keysOf(vector));
    assert.equal(status, 0);
    assert.match(stdout, /access_token="\(the access token\)"$/);
    assert.doesNotMatch(stdout, /canary/);
    await writeFile(path, 'canary"quoted');
    const bad = await run([...args, '--access-token-file', path], keysOf(vector));
    assert.equal(bad.status, 64);
    assert.doesNotMatch(bad.stderr, /canary/);
  });

  it('refuses what cannot be signed, and missing keys', async () => {
    const lines = [['sign', 'POST', 'nonsense'], [...args, 'no-value'], [...args, '--access-token-file', '/nonexistent'], [...args, '--nonce', 'nonsense']];
    await Promise.all(lines.map(async (line) => { assert.equal((await run(line, keysOf(vector))).status, 64, line.join(' ')); }));
    const { status, stderr } = await run(args, {});
    assert.deepEqual([status, stderr], [78, 'VESTIBULE_PUBLIC_KEY: is required\nVESTIBULE_SECRET_KEY: is required\n']);
  });
});

describe('vestibule profiles', () => {
  it('prints accepted answers by date, of one reader, since a day', async () => {
    const path = join(world.directory, 'vestibule.config.mjs');
    await writeFile(path, `export default { validation: { fields: [{ name: 'about', type: 'text', label: 'About you' }] } };`);
    const env = { ...world.env, VESTIBULE_CONFIG: path, VESTIBULE_STORE: `sqlite:${join(world.directory, 'profiles.db')}` };
    await using bff = new VestibuleProcess({ env });
    const agent = new Agent();
    const site = { url: `${await bff.origin()}/vestibule`, origin: ORIGIN, redirectUri: REDIRECT_URI, agent };
    const readers = world.service.readers.slice(0, 3);
    for (const reader of readers.toReversed()) await new LoadReader(site).signIn(world.service, reader, { about: `I am ${reader.username}` });

    const ids = async (...options: string[]) => {
      const { status, stdout } = await run(['profiles', ...options], env);
      assert.equal(status, 0);
      return stdout.split('\n').filter((line) => line !== '').map((line) => (JSON.parse(line) as { user_id: string }).user_id);
    };
    assert.deepEqual(await ids(), readers.map(({ user_id }) => user_id).toReversed());
    assert.deepEqual(await ids('--since', '2026-01-01'), await ids());
    assert.deepEqual(await ids('--since', new Date(Date.now() + 60_000).toISOString()), []);
    const [reader] = readers as [(typeof readers)[number]];
    assert.deepEqual(await ids('--user', reader.user_id), [reader.user_id]);
    const { stdout } = await run(['profiles', '--user', reader.user_id], env);
    assert.deepEqual((JSON.parse(stdout) as { answers: unknown }).answers, { about: `I am ${reader.username}` });
    assert.equal((await run(['profiles', '--since', 'yesterday'], env)).status, 64);
    agent.destroy();
  });

  it('creates no store, and refuses a memory store', async () => {
    const path = join(world.directory, 'misspelt.db');
    for (const [store, words] of [[`sqlite:${path}`, `there is no store at ${path};`], ['memory:', 'a memory store belongs to the process that serves']] as const) {
      for (const args of [['profiles'], ['readers', 'delete', '1'], ['readers', 'export', '1'], ['backup', join(world.directory, 'copy.db')]]) {
        const { status, stdout, stderr } = await run(args, { ...world.env, VESTIBULE_STORE: store });
        assert.deepEqual([status, stdout], [78, '']);
        assert.ok(stderr.startsWith(`VESTIBULE_STORE: ${words}`), stderr);
      }
    }
    await assert.rejects(access(path));
  });
});
