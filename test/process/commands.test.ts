/** `vestibule check`, `sign` and `profiles`, and what the command says of itself (contract, section 3). */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, readFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runVestibule, VestibuleProcess, type Ended } from '../lib/vestibule-process.ts';
import { LoadReader } from '../load/_reader.ts';
import { makeSelfSigned } from '../tls/self-signed.ts';
import { macVectors, type MacVector } from '../vectors/mac-signing.ts';
import { ORIGIN, REDIRECT_URI, startProcessWorld, type ProcessWorld } from './_service.ts';

let world: ProcessWorld;
before(async () => { world = await startProcessWorld(); });
after(() => world[Symbol.asyncDispose]());

type Environment = Readonly<Record<string, string>>;

const run = (args: readonly string[], env: Environment = world.env): Promise<Ended> => runVestibule({ args, env });

describe('vestibule', () => {
  it('teaches each command with an example', async () => {
    const { status, stdout } = await run(['--help'], {});
    assert.equal(status, 0);
    const words = ['serve', 'check', 'sign', 'profiles', 'Exit statuses:', '64', '69', '78', '143'];
    assert.deepEqual(words.filter((word) => !stdout.includes(word)), []);
    await Promise.all(['serve', 'check', 'sign', 'profiles'].map(async (command) => {
      const help = await run([command, '--help'], {});
      assert.deepEqual([help.status, help.stderr], [0, '']);
      assert.match(help.stdout, /Examples?:\n +\$ .*vestibule|Example:\n +\$ VESTIBULE/, command);
    }));
  });

  it('says its version', async () => {
    const manifest = await readFile(new URL('../../packages/bff/package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    assert.deepEqual(await run(['--version'], {}), { status: 0, signal: null, stdout: version, stderr: '' });
  });

  it('ends with 64 at a command line that it does not understand', async () => {
    const lines = ['nonsense', 'serve more', 'check --loud', 'sign', 'sign POST', 'profiles --since', 'profiles delete'];
    await Promise.all(lines.map(async (line) => {
      const { status, stdout, stderr } = await run(line.split(' '), {});
      assert.deepEqual([status, stdout], [64, ''], line);
      assert.match(stderr, /^error: .*\nRun vestibule --help/, line);
    }));
  });
});

describe('vestibule check', () => {
  /** Status by the name of the check; the last one of a name. */
  const check = async (bent: Environment) => {
    const { status, stdout, stderr } = await run(['check'], { ...world.env, ...bent });
    assert.equal(stderr, '');
    const lines = stdout.split('\n').map((line) => /^(ok|warn|fail) +(\w[\w ]*?)  +(.+)$/.exec(line) ?? assert.fail(line));
    const found = Object.fromEntries(lines.map(([, outcome = '', name = '', words = '']) => [name, [outcome, words] as const]));
    return { status, stdout, found };
  };
  const isFine = { VESTIBULE_PUBLIC_URL: 'https://www.example.test/vestibule', VESTIBULE_TRUST_PROXY: 'loopback' };

  it('is content with a whole configuration, and prints no secret', async () => {
    const { status, stdout, found } = await check(isFine);
    assert.equal(status, 0);
    const names = ['settings', 'public url', 'origins', 'redirect uri', 'proxy', 'widget', 'store', 'service', 'tls', 'clock', 'keys'];
    assert.deepEqual(Object.entries(found).map(([name, [outcome]]) => [name, outcome]), names.map((name) => [name, 'ok']));
    assert.ok(!stdout.includes(world.service.secretKey));
  });

  it('names every fault of the settings and ends with 78', async () => {
    const { status, stdout } = await check({ VESTIBULE_FORUMS: '', VESTIBULE_SERVICE_URL: 'nonsense' });
    assert.equal(status, 78);
    assert.equal(stdout.split('\n').filter((line) => line.startsWith('fail  settings')).length, 2);
  });

  it('says of keys that the service does not know that it does not', async () => {
    const { status, found } = await check({ ...isFine, VESTIBULE_SECRET_KEY: 'canary-of-a-secret' });
    assert.deepEqual([status, found['keys']?.[0]], [1, 'fail']);
    assert.equal((await check({ ...isFine, VESTIBULE_SECRET_KEY: world.service.publicKey })).found['keys']?.[0], 'fail');
    assert.equal((await check({ ...isFine, VESTIBULE_SECRET_KEY: ` ${world.service.secretKey}` })).found['keys']?.[0], 'fail');
  });

  it('names variables that look like settings and are none', async () => {
    const { status, stdout } = await check({ ...isFine, VESTIBULE_TRUST_PROXIES: 'canary' });
    assert.equal(status, 0);
    assert.match(stdout, /^warn +settings +VESTIBULE_TRUST_PROXIES is no setting/m);
    assert.doesNotMatch(stdout, /canary/);
  });

  it('says that another path, or somebody else, is at the service\'s address', async () => {
    const { status, found } = await check({ ...isFine, VESTIBULE_SERVICE_URL: `${world.service.url}/elsewhere` });
    assert.deepEqual([status, found['keys']?.[0]], [1, 'fail']);
    assert.match(found['keys']?.[1] ?? '', /check VESTIBULE_SERVICE_URL, its path included$/);
    const tls = await check({ ...isFine, VESTIBULE_SERVICE_URL: world.service.url.replace('http:', 'https:') });
    assert.match(tls.found['service']?.join(' ') ?? '', /^fail .* does not speak TLS/);
  });

  it('says what to do where nothing listens at the service\'s address, where it does not resolve, and where nobody answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    for (const [url, words] of [
      ['http://127.0.0.1:1', /nothing listens/],
      ['http://vestibule.invalid', /does not resolve/],
      [`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, /no answer.*firewall/],
    ] as const) {
      const { status, found } = await check({ ...isFine, VESTIBULE_SERVICE_URL: url, VESTIBULE_SERVICE_TIMEOUT_MS: '1000' });
      assert.deepEqual([status, found['service']?.[0], found['keys']?.[0]], [1, 'fail', 'warn']);
      assert.match(found['service']?.[1] ?? '', words);
    }
    silent.close();
  });

  it('does not trust a certificate that nobody signed, and says how to', async () => {
    const { certificate: cert, key } = makeSelfSigned();
    const server = createTlsServer({ cert, key }, (_req, res) => { res.end(); }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const bent = { ...isFine, VESTIBULE_SERVICE_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
    assert.match((await check(bent)).found['service']?.[1] ?? '', /cannot be trusted \(\w+\).*NODE_EXTRA_CA_CERTS/);
    const path = join(world.directory, 'authority.pem');
    await writeFile(path, cert);
    const { found } = await check({ ...bent, NODE_EXTRA_CA_CERTS: path });
    assert.deepEqual([found['service']?.[0], found['tls']], ['ok', ['warn', 'the certificate is good, for 0 more days']]);
    server.closeAllConnections();
    server.close();
  });

  it('tells the clock drift, and a service that tells none', async () => {
    world.service.clockOffsetMs = -4_000_000;
    assert.match((await check(isFine)).found['clock']?.join(' ') ?? '', /^warn .*(?:399[89]|4000) s behind/);
    world.service.clockOffsetMs = 2 * 86_400_000;
    assert.match((await check(isFine)).found['clock']?.join(' ') ?? '', /^fail .*more than 1 day/);
    world.service.clockOffsetMs = 0;
  });

  it('names a store that cannot be opened, and one that forgets', async () => {
    assert.match((await check({ ...isFine, VESTIBULE_STORE: 'sqlite:/nonexistent/store.db' })).found['store']?.join(' ') ?? '', /^fail VESTIBULE_STORE: /);
    assert.match((await check(isFine)).found['store']?.join(' ') ?? '', new RegExp(`^ok sqlite at ${world.directory}/store\\.db, `));
    assert.match((await check({ ...isFine, VESTIBULE_STORE: 'memory:' })).found['store']?.join(' ') ?? '', /^warn .*outlives the process/);
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
  const compare = (header: string) => run([...args, '--compare', header], keysOf(vector));

  it('says that another signature agrees, however old it is', async () => {
    const { status, stdout } = await compare(`MAC id="${vector.id}", nonce="${vector.nonce}", body-hash="${vector.bodyHash}", mac="${vector.mac}"`);
    assert.equal(status, 0);
    assert.match(stdout, /They agree in every step\.\nThe nonce is \d+ s old/);
  });

  it('says at which step another one parts ways, and ends with 1', async () => {
    const { status, stdout } = await compare(`MAC id="${vector.id}", nonce="${vector.nonce}", body-hash="${vector.bodyHash}", mac="AAAA"`);
    assert.equal(status, 1);
    assert.match(stdout, /They part ways at step 5: .*another secret key.*\n +theirs +AAAA$/);
    const bad = await compare('Bearer abc');
    assert.deepEqual([bad.status, bad.stdout], [64, '']);
  });

  it('makes its own steps with the nonce of the other', async () => {
    const { stdout } = await compare(`MAC id="${vector.id}", nonce="${vector.nonce}", body-hash="${vector.bodyHash}", mac="AAAA"`);
    assert.ok(stdout.includes(`\n5  MAC                    ${vector.mac}\n`));
  });

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

  it('refuses what cannot be signed, and a start without keys', async () => {
    const lines = [['sign', 'POST', 'nonsense'], [...args, 'no-value'], [...args, '--access-token-file', '/nonexistent'], [...args, '--nonce', 'nonsense']];
    await Promise.all(lines.map(async (line) => { assert.equal((await run(line, keysOf(vector))).status, 64, line.join(' ')); }));
    const { status, stderr } = await run(args, {});
    assert.deepEqual([status, stderr], [78, 'VESTIBULE_PUBLIC_KEY: is required\nVESTIBULE_SECRET_KEY: is required\n']);
  });
});

describe('vestibule profiles', () => {
  it('prints accepted answers by date, of one reader, since a day, and forgets one reader\'s', async () => {
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

    const deleted = await run(['profiles', 'delete', reader.user_id], env);
    assert.deepEqual([deleted.status, deleted.stderr], [0, '']);
    assert.match(deleted.stdout, /deleted from .*profiles\.db\.$/);
    assert.deepEqual(await ids('--user', reader.user_id), []);
    assert.equal((await run(['profiles', 'delete', reader.user_id], env)).status, 1);
    assert.equal((await run(['profiles', '--since', 'yesterday'], env)).status, 64);
    agent.destroy();
  });

  it('take no other store for the one that the BFF has: none is made, and memory is none', async () => {
    const path = join(world.directory, 'misspelt.db');
    for (const [store, words] of [[`sqlite:${path}`, `there is no store at ${path};`], ['memory:', 'answers in memory belong to the process that serves']] as const) {
      for (const args of [['profiles'], ['profiles', 'delete', '1']]) {
        const { status, stdout, stderr } = await run(args, { ...world.env, VESTIBULE_STORE: store });
        assert.deepEqual([status, stdout], [78, '']);
        assert.ok(stderr.startsWith(`VESTIBULE_STORE: ${words}`), stderr);
      }
    }
    await assert.rejects(access(path));
  });
});
