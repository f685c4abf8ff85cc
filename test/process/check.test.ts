/** `vestibule check`, faults of the configuration, help and exit statuses (contract, section 4). */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { startProcess } from '../lib/bff-process.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { runCommand, runVestibule } from '../lib/vestibule-process.ts';
import type { EmulatedService } from '../service/index.ts';
import { startWorld, type Environment } from './_world.ts';

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

const run = (args: readonly string[], env: Environment = {}) => runCommand({ args, env });

describe('vestibule', () => {
  const world = suiteResource(startWorld);

  it('explains its commands and exit statuses, and its version', async () => {
    const { status, stdout } = await run(['--help']);
    assert.equal(status, 0);
    const words = ['serve', 'check', 'sign', 'profiles', 'readers', 'log-id', 'Exit statuses:', '64', '69', '78', '143'];
    assert.deepEqual(words.filter((word) => !stdout.includes(word)), []);
    const { version } = JSON.parse(await readFile(new URL('../../packages/bff/package.json', import.meta.url), 'utf8')) as { version: string };
    assert.deepEqual(await runVestibule({ args: ['--version'] }), { status: 0, signal: null, stdout: version, stderr: '' });
  });

  it('exits with 64 for a wrong command line', async () => {
    for (const line of ['nonsense', 'check --loud', 'sign POST']) {
      const { status, stdout, stderr } = await run(line.split(' '));
      assert.deepEqual([status, stdout], [64, ''], line);
      assert.match(stderr, /^error: .*\nRun vestibule --help/, line);
    }
  });

  it('names every fault of the configuration on a line of its own, prints no value, and exits with 78', async () => {
    await using directory = await temporaryDirectory();
    const config = join(directory.path, 'vestibule.config.json');
    await writeFile(config, JSON.stringify({ typo: 'canary', validation: { fields: [{ name: '1', type: 'text', label: 'x' }] } }));
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
    assert.deepEqual([status, stdout], [78, '']);
    assert.deepEqual(linesOf(stderr).map((line) => line.replace(/: .*/, '')).toSorted(), [
      'HOST_FILE', 'LOG_LEVEL', 'PORT', 'VESTIBULE_ADMIN_PORT', 'VESTIBULE_ALLOWED_ORIGINS, item 1', 'VESTIBULE_COOKIE_SECRETS, item 2',
      'VESTIBULE_FORUMS, item 1', 'VESTIBULE_MESSAGE_MAX_LENGTH', 'VESTIBULE_PUBLIC_KEY', 'VESTIBULE_PUBLIC_URL', 'VESTIBULE_RATE_LIMITS',
      'VESTIBULE_REDIRECT_URI', 'VESTIBULE_SECRET_KEY', 'VESTIBULE_SERVICE_URL', 'VESTIBULE_STORE', 'typo', 'validation.fields, item 1, name',
    ].toSorted());
    for (const line of linesOf(stderr)) assert.match(line, /^[\w., ]+: .{5,}/);
    assert.doesNotMatch(stderr, /canary/);
  });

  it('names a misspelt setting on standard error after the faults, and as a warning of check', async () => {
    const env = { VESTIBULE_FORUM: 'canary' };
    const lines = [
      'VESTIBULE_FORUM: is not a setting and has no effect; check its spelling',
    ];
    const [served, checked] = await Promise.all([run([], env), run(['check'], env)]);
    assert.deepEqual([served.status, checked.status], [78, 78]);
    assert.match(served.stderr, /^VESTIBULE_FORUMS: is required/m);
    assert.deepEqual(linesOf(served.stderr).slice(-1), lines);
    assert.match(checked.stdout, /^fail +settings +VESTIBULE_FORUMS: is required/m);
    assert.deepEqual(linesOf(checked.stdout).slice(-1), lines.map((line) => `warn  settings         ${line}`));
  });

  it('takes a secret key of one line only, from a file too', async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, 'secret-key');
    await writeFile(file, 'canary\nof two lines\n');
    const { status, stderr } = await run([], { VESTIBULE_SECRET_KEY_FILE: file });
    assert.equal(status, 78);
    assert.match(stderr, /^VESTIBULE_SECRET_KEY: must be one line/m);
    assert.doesNotMatch(stderr, /canary/);
  });

  it('copies the files of the widget for a proxy or CDN, and deletes none', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(join(directory.path, 'widget-0.0.1.js'), '');
    const { status } = await runVestibule({ args: ['assets', directory.path] });
    assert.equal(status, 0);
    const files = await readdir(directory.path);
    assert.deepEqual(['widget-0.0.1.js', 'widget.js', 'widget.js.br'].filter((name) => !files.includes(name)), []);
  });

  it('does not serve without the files of the widget', async () => {
    await using directory = await temporaryDirectory();
    const ours = fileURLToPath(new URL('../../packages/bff', import.meta.url));
    const copy = join(directory.path, 'packages/bff');
    for (const part of ['bin', 'dist', 'package.json']) await cp(join(ours, part), join(copy, part), { recursive: true });
    await symlink(join(ours, 'node_modules'), join(copy, 'node_modules'));
    await symlink(join(ours, '../../node_modules'), join(directory.path, 'node_modules'));
    await rm(join(copy, 'dist/widget'), { recursive: true });
    const { status, stdout } = await runVestibule({ command: join(copy, 'bin/vestibule.js'), args: ['serve'], env: world().env });
    assert.equal(status, 1);
    const lines = linesOf(stdout).map((text) => JSON.parse(text) as { level: number; err: { message: string } });
    const words = 'The files of the widget are missing or cannot be read: install @vestibule/bff again; in a checkout, run "npm run build".';
    assert.deepEqual(lines.map(({ level, err }) => [level, err.message]), [[60, words]]);
  });
});

describe('vestibule check', () => {
  const world = suiteResource(startWorld);
  const behindTls = { VESTIBULE_PUBLIC_URL: 'https://www.example.com/vestibule', VESTIBULE_TRUST_PROXY: 'loopback' };

  /** By name: statuses with their messages. */
  type Found = Readonly<Record<string, readonly string[]>>;

  const check = async (changes: Environment = {}, runIt: typeof runCommand = runCommand) => {
    const { status, stdout, stderr } = await runIt({ args: ['check'], env: { ...world().env, ...behindTls, ...changes } });
    assert.equal(stderr, '');
    const found: Record<string, string[]> = {};
    for (const line of linesOf(stdout)) {
      const [, outcome = '', name = '', words = ''] = /^(ok|warn|fail) +(\w[\w ]*?)  +(.+)$/.exec(line) ?? assert.fail(line);
      (found[name] ??= []).push(`${outcome} ${words}`);
    }
    return { status, stdout, found: found as Found };
  };

  it('finds no fault in a complete configuration, and prints no secret; ignores what Kubernetes injects for Services', async () => {
    const injected = { VESTIBULE_PORT: 'tcp://10.0.0.1:8080', VESTIBULE_ADMIN_PORT: 'tcp://10.0.0.1:9464', PORT: 'tcp://10.0.0.1:80' };
    const { status, stdout, found } = await check(injected, runVestibule);
    assert.equal(status, 0, stdout);
    // Nothing of ours is at this public URL.
    const names = { settings: 'ok', reachable: 'warn', store: 'ok', service: 'ok', clock: 'ok', keys: 'ok' };
    const outcomes = Object.entries(found).map(([name, lines]) => [name, lines.map((line) => line.split(' ', 1)[0]).join()]);
    assert.deepEqual(Object.fromEntries(outcomes), names);
    assert.match(found['settings']?.[0] ?? '', /register exactly https:\/\/www\.example\.com\/vestibule\/sync\/return with the service$/);
    for (const secret of [world().service.secretKey, COOKIE_SECRET]) assert.ok(!stdout.includes(secret));
  });

  it('uses the keys of the operator once: for one exchange', async () => {
    const { service } = world();
    const before = service.requests.length;
    await check();
    const sent = service.requests.slice(before).map(({ endpoint }) => endpoint).filter((endpoint) => endpoint !== undefined);
    assert.deepEqual(sent, ['token']);
  });

  interface Case {
    readonly settings?: (service: EmulatedService) => Environment;
    readonly prepare?: (service: EmulatedService) => void;
    readonly status: 0 | 1;
    readonly findings: Readonly<Record<string, RegExp | readonly RegExp[]>>;
  }

  const serviceUrl = (change: (url: string) => string): NonNullable<Case['settings']> => ({ url }) => ({ VESTIBULE_SERVICE_URL: change(url) });

  const cases: Readonly<Record<string, Case>> = {
    'a secret key that the service refuses': {
      settings: () => ({ VESTIBULE_SECRET_KEY: 'canary-of-a-secret' }), status: 1, findings: { keys: /^fail .*VESTIBULE_SECRET_KEY/ },
    },
    'a service that fails': {
      prepare: ({ faults }) => { faults.always('token', { kind: 'status', status: 500 }); },
      status: 0, findings: { keys: /^warn not proved/ },
    },
    'a redirect URI elsewhere, a clock that is off, and a store that cannot be opened': {
      prepare: (service) => { service.clockOffsetMs = -4_000_000; },
      settings: () => ({ VESTIBULE_REDIRECT_URI: 'https://elsewhere.example/', VESTIBULE_STORE: 'sqlite:/nonexistent/store.db' }),
      status: 1, findings: {
        settings: /^fail VESTIBULE_REDIRECT_URI is on none of the allowed origins/,
        clock: /^fail this machine's clock is (?:399|400)\d s ahead of the service's: /, store: /^fail VESTIBULE_STORE: /,
      },
    },
    'a clock that is off by more than a nonce is valid, in the other direction': {
      prepare: (service) => { service.clockOffsetMs = 600_000; },
      status: 1, findings: { clock: /^fail this machine's clock is (?:59|60)\d s behind the service's: .*the service refuses requests$/ },
    },
    'a clock that is off by less': {
      prepare: (service) => { service.clockOffsetMs = 240_000; },
      status: 0, findings: { clock: /^warn this machine's clock is (?:23|24)\d s behind the service's: / },
    },
    'no trusted proxy, where only a proxy can have the certificate': {
      settings: () => ({ VESTIBULE_TRUST_PROXY: '' }), status: 1, findings: { settings: /^fail VESTIBULE_TRUST_PROXY is not set.* such as loopback$/ },
    },
    'a wrong path of the service': {
      settings: serviceUrl((url) => `${url}/elsewhere`), status: 1, findings: { keys: /^fail .*check VESTIBULE_SERVICE_URL, including its path$/ },
    },
    'a port that refuses connections': {
      settings: serviceUrl(() => 'http://127.0.0.1:65534'), status: 1, findings: { service: /^fail unreachable \(ECONNREFUSED\)/, keys: /^warn not proved/ },
    },
    'a folder that takes no new file, and a proxy whose every client is believed': {
      settings: () => ({ VESTIBULE_STORE: 'sqlite:/proc/vestibule.db', VESTIBULE_TRUST_PROXY: 'true' }), status: 1,
      findings: { store: /^fail VESTIBULE_STORE: this user cannot write to the folder \/proc/, settings: /^warn VESTIBULE_TRUST_PROXY is true/ },
    },
    'a store in memory, a variable that is no setting, no trusted proxy, no TLS, and an origin of another site': {
      settings: () => ({
        VESTIBULE_STORE: 'memory:', VESTIBULE_TRUST_PROXIES: 'canary', VESTIBULE_TRUST_PROXY: '', VESTIBULE_PUBLIC_URL: 'http://www.example.com',
        VESTIBULE_ALLOWED_ORIGINS: 'http://www.example.net',
      }),
      status: 1, findings: {
        store: /^warn .*loses everything/, settings: [
          /^warn VESTIBULE_TRUST_PROXIES: is not a setting/, /^fail VESTIBULE_TRUST_PROXY is not set/,
          /^fail VESTIBULE_PUBLIC_URL starts with http/, /^warn http:\/\/www\.example\.net may be another site/,
        ],
      },
    },
  };
  for (const [name, { settings, prepare, status, findings }] of Object.entries(cases)) {
    it(`reports ${name}`, async () => {
      const { service } = world();
      prepare?.(service);
      const checked = await check(settings?.(service));
      service.faults.clear();
      service.clockOffsetMs = 0;
      assert.equal(checked.status, status, checked.stdout);
      for (const [finding, expected] of Object.entries(findings)) {
        for (const one of [expected].flat()) assert.ok(checked.found[finding]?.some((line) => one.test(line)), checked.stdout);
      }
      assert.doesNotMatch(checked.stdout, /canary/);
    });
  }

  it('reports a store that belongs to another user', async (t) => {
    const file = world().path('owned.db');
    const store = { VESTIBULE_STORE: `sqlite:${file}` };
    const bff = await startProcess({ ...world().env, ...store });
    await bff.process.kill();
    assert.doesNotMatch((await check(store)).stdout, /another user/);
    t.mock.method(process as Required<typeof process>, 'geteuid', () => 65_534);
    const { status, stdout } = await check(store);
    assert.equal(status, 0);
    assert.match(stdout, /^warn +store +\/.*\/owned\.db belongs to another user: give it to the user of this process alone \(mode 0600\)$/m);
  });

  describe('of a public URL that a proxy answers, while the BFF runs,', () => {
    type Answer = (res: ServerResponse, response: Response, text: string) => void;

    const pass: Answer = (res, response, text) => {
      res.writeHead(response.status, { ...locationOf(response), 'Set-Cookie': response.headers.getSetCookie() }).end(text);
    };
    const locationOf = ({ headers }: Response) => {
      const location = headers.get('location');
      return location === null ? {} : { Location: location };
    };
    const status = (code: number): Answer => (res) => { res.writeHead(code).end(); };

    const site = suiteResource(async () => {
      let answer = pass;
      let bffPath = '';
      const proxy = createHttpServer(({ url = '', headers }, res) => {
        const target = `${running.origin}${url.replace('/vestibule', bffPath)}`;
        void fetch(target, { headers: { 'Sec-Fetch-Site': String(headers['sec-fetch-site']) }, redirect: 'manual' })
          .then(async (response) => { answer(res, response, await response.text()); });
      });
      const publicUrl = `${await listen(proxy)}/vestibule`;
      const running = await startProcess({ ...world().env, VESTIBULE_PUBLIC_URL: publicUrl });
      return {
        /** @param path that of the public URL as the proxy passes it on */
        async check(how: Answer, path = '/vestibule') {
          [answer, bffPath] = [how, path];
          const { found } = await check({ VESTIBULE_PUBLIC_URL: publicUrl });
          return ['reachable', 'cookies'].map((name) => found[name]?.[0]).join(', ');
        },
        async [Symbol.asyncDispose]() {
          await running[Symbol.asyncDispose]();
          await closeServer(proxy);
        },
      };
    });

    const cases: Readonly<Record<string, readonly [answer: Answer, expected: RegExp, bffPath?: string]>> = {
      'nothing if it passes everything on': [pass, /^ok .* leads to Vestibule with these settings, ok arrive/],
      'a changed cookie': [(res, response) => {
        const cookies = response.headers.getSetCookie().map((cookie) => `${cookie}; SameSite=Strict`);
        res.writeHead(302, { ...locationOf(response), 'Set-Cookie': cookies }).end();
      }, /^ok .*, fail a proxy removes or changes the cookies/],
      'a removed Set-Cookie': [(res, response) => { res.writeHead(302, locationOf(response)).end(); }, /^ok .*, fail a proxy removes or changes the cookies/],
      'a removed path': [pass, /^fail Vestibule answers .* with not-found: the proxy must pass the path on unchanged/, ''],
      'a redirect that the proxy has followed': [status(200), /^warn .* answers 200, which is not the sign-in of these settings: .* redirects back/],
      'a proxy without a BFF': [status(502), /^warn .* answers 502, .* pass requests on to 127\.0\.0\.1:/],
      'a path that leads elsewhere': [status(404), /^warn .* answers 404, .* correct VESTIBULE_PUBLIC_URL/],
      'a sign-in before the BFF': [(res) => { res.writeHead(302, { Location: 'https://login.example/?canary' }).end(); },
        /^warn .* answers 302 to https:\/\/login\.example, which is not the sign-in of these settings/],
    };
    for (const [name, [answer, expected, bffPath]] of Object.entries(cases)) {
      it(`reports ${name}`, async () => {
        assert.match(await site().check(answer, bffPath), expected);
      });
    }
  });

  it('reports a certificate of the public URL that is not trusted', async () => {
    const tls = (name: string) => readFileSync(new URL(`../deploy/tls.${name}`, import.meta.url));
    const server = createTlsServer({ key: tls('key'), cert: tls('crt') });
    const publicUrl = (await listen(server)).replace('http:', 'https:');
    const about = async (url: string) => {
      const { found: { reachable = [], settings = [] } } = await check({ VESTIBULE_PUBLIC_URL: url, VESTIBULE_TRUST_PROXY: '' });
      return [...reachable, ...settings.slice(-1)].join(', ');
    };
    // A proxy has its certificate: the BFF has none.
    assert.match(await about(publicUrl), /^warn .*no answer \(DEPTH_ZERO_SELF_SIGNED_CERT\): .* the certificate.*, fail VESTIBULE_TRUST_PROXY is not set/);
    // Of another scheme than its port has.
    assert.match(await about(publicUrl.replace('https:', 'http:')), /^warn .*no answer .*correct VESTIBULE_PUBLIC_URL.*, ok /);
    await closeServer(server);
  });

  it('reports a service that does not respond', async () => {
    const silent = createServer((socket) => { socket.resume(); }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
    const { status, found } = await check({ VESTIBULE_SERVICE_URL: url, VESTIBULE_SERVICE_TIMEOUT_MS: '1000' });
    silent.close();
    assert.deepEqual([status, found['keys']?.[0]?.slice(0, 4)], [1, 'warn']);
    assert.match(found['service']?.[0] ?? '', /^fail unreachable \(TimeoutError\): check VESTIBULE_SERVICE_URL/);
  });
});
