/** `vestibule serve`: how it starts, responds and ends (contract, section 4). */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startProcess, type Running } from '../lib/bff-process.ts';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { freePort } from '../lib/free-port.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { expectStatus } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';
import { COMMAND, nodeEnvironment, runCommand, runVestibule, VestibuleProcess } from '../lib/vestibule-process.ts';
import { startWorld } from './_world.ts';

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

function connectTo(origin: string): Socket {
  return connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined);
}

async function get(url: string): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('vestibule serve', () => {
  const world = suiteResource(startWorld);

  describe('with secrets in files, questions in a module, and an admin port', () => {
    const adminPort = suiteResource(async () => ({ port: await freePort(), async [Symbol.asyncDispose]() {} }));
    const bff = suiteResource<Running>(async () => {
      const { service, env, path } = world();
      await writeFile(path('secret'), `${service.secretKey}\n`);
      await writeFile(path('config.mjs'), `export default {
        validation: { fields: [{ name: 'age', type: 'number', label: 'Age', required: true }] }, port: 1,
      };`);
      const { VESTIBULE_SECRET_KEY: _, ...rest } = env;
      return startProcess({
        ...rest, VESTIBULE_SECRET_KEY_FILE: path('secret'), VESTIBULE_CONFIG: path('config.mjs'),
        VESTIBULE_ADMIN_PORT: String(adminPort().port), LOG_LEVEL: 'trace',
      });
    });

    it('responds under the path of its public URL, and about its health at the root too', async () => {
      for (const path of ['/healthz', '/healthz/', '/readyz', '/vestibule/healthz', '/vestibule/readyz', '/vestibule/session']) {
        // A ping of the store that takes a second, as on a busy disk, is a 503.
        const { headers } = await until(`${path} is 200`, async () => {
          const response = await get(bff().origin + path);
          return response.status === 200 && response;
        });
        assert.deepEqual([headers.get('cache-control'), headers.get('x-powered-by')], ['no-store', null], path);
      }
      for (const path of ['/session', '/', '/vestibules/session', '/posts', '/widget.js']) {
        const { status, headers, text } = await get(bff().origin + path);
        assert.deepEqual([status, headers.get('cache-control')], [404, 'no-store'], path);
        assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
        assert.equal((JSON.parse(text) as { type: string }).type, 'urn:vestibule:not-found');
      }
    });

    it('keeps idle connections longer than load balancers do, so that none sends a request into a connection that closes', async () => {
      const { headers } = await get(`${bff().origin}/healthz`);
      assert.equal(headers.get('keep-alive'), 'timeout=620');
    });

    it('asks the questions of the module, signs a reader in, and creates a post', async () => {
      const reader = bff().browser(world().service);
      expectStatus(await reader.start(), 201);
      assert.deepEqual((await reader.session()).sync?.form.fields.map(({ name }) => name), ['age']);
      expectStatus(await reader.validate({ age: 5 }), 200);
      expectStatus(await reader.createPost('from a process'), 201);
      assert.equal(world().service.posts.at(-1)?.message, 'from a process');
    });

    it('has its metrics at the admin port, and nowhere else', async () => {
      const metrics = await get(`http://127.0.0.1:${adminPort().port}/metrics`);
      assert.match(metrics.text, /^# TYPE vestibule_http_request/m);
      for (const path of ['/metrics', '/vestibule/metrics']) assert.equal((await get(bff().origin + path)).status, 404, path);
    });

    it('responds to requests in flight at SIGTERM, waits for no connection without a request, and exits with status 0', async () => {
      const { service } = world();
      const reader = bff().browser(service);
      await reader.signIn(undefined, { age: 5 });
      const [idle, ...silent] = Array.from({ length: 4 }, () => connectTo(bff().origin)) as [Socket, ...Socket[]];
      await Promise.all(silent.map((socket) => once(socket, 'connect')));
      idle.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
      await once(idle, 'data');
      const { post, release } = await reader.holdPost('in flight');
      bff().process.child.kill('SIGTERM');
      await bff().process.logged('draining');
      release();
      const { status, headers } = await post;
      assert.deepEqual([status, headers['connection']], [201, 'close']);
      const ended = await bff().process.end();
      assert.deepEqual([ended.status, ended.stderr], [0, '']);
      const messages = bff().process.lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
      const steps = ['listening', 'draining', 'requests were cut off', 'stopped'];
      assert.deepEqual(messages.filter((msg) => steps.includes(msg)), ['listening', 'draining', 'stopped']);
      await assert.rejects(fetch(`${bff().origin}/healthz`));
    });

    it('has printed no secret and no text of a reader at any level', () => {
      const output = bff().process.lines.join('\n');
      assert.match(output, /"level":20/);
      for (const secret of [world().service.secretKey, COOKIE_SECRET, 'in flight', 'from a process']) assert.ok(!output.includes(secret));
    });
  });

  it('closes a connection that was opened in advance without a response, and answers a head that does not end with 408', async () => {
    const { env } = world();
    await using bff = await startProcess({ ...env, VESTIBULE_STORE: 'memory:', VESTIBULE_REQUEST_TIMEOUT_MS: '1000' });
    const answers = await Promise.all(['', 'GET /healthz HTTP/1.1\r\n'].map(async (head) => {
      const socket = connectTo(bff.origin).setEncoding('utf8');
      let answer = '';
      socket.on('data', (text: string) => { answer += text; });
      socket.write(head);
      await once(socket, 'close');
      return answer.split('\r\n')[0];
    }));
    assert.deepEqual(answers, ['', 'HTTP/1.1 408 Request Timeout']);
  });

  it('reports once a minute that a request is not HTTP/1.1, and headers that are too long', async () => {
    await using bff = await startProcess(world().env);
    const send = async (bytes: string) => {
      const socket = connectTo(bff.origin).setEncoding('latin1');
      socket.write(bytes, 'latin1');
      return (await socket.toArray()).join('').split('\r\n')[0];
    };
    for (const [bytes, status] of [
      ['PROXY TCP4 192.0.2.1 192.0.2.2 5 80\r\nGET / HTTP/1.1\r\n\r\n', 400], ['\x16\x03\x01\x02\0\x01\0', 400],
      [`GET /healthz HTTP/1.1\r\nHost: a\r\nCookie: canary=${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ] as const) assert.match(await send(bytes) ?? '', new RegExp(`^HTTP/1\\.1 ${status} `));
    const line = await bff.process.logged('a request was refused: it is not HTTP/1.1, or its head is too large');
    assert.deepEqual([line['level'], line['setting']], [40, 'the proxy: HTTP/1.1 towards the server']);
    const { stdout } = await bff.process.kill();
    assert.equal(linesOf(stdout).filter((text) => text.includes('a request was refused')).length, 1);
    assert.doesNotMatch(stdout, /canary/);
  });

  it('does not report the bytes of a client that ends its connection within a request', async () => {
    await using bff = await startProcess(world().env);
    const socket = connectTo(bff.origin).setEncoding('latin1');
    socket.end('GET /healthz HTTP/1.1\r\nHo');
    assert.match((await socket.toArray()).join(''), /^HTTP\/1\.1 400 /);
    const { stdout } = await bff.process.kill();
    assert.doesNotMatch(stdout, /a request was refused/);
  });

  it('listens on an IPv6 address in brackets', async () => {
    await using process = new VestibuleProcess({ env: { ...world().env, HOST: '[::1]' } });
    assert.equal((await process.logged('listening'))['host'], '::1');
  });

  for (const [version, name] of [['bun', 'Bun'], ['node', '20.20.2']] as const) {
    it(`refuses ${version === 'bun' ? 'another runtime' : 'an older Node.js'} with one line, and a status after which systemd starts nothing`, async () => {
      const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, ${version}: '20.20.2' } });`;
      await using process = new VestibuleProcess({ env: world().env, nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(versions)}`] });
      const { status, stderr } = await process.end();
      const unit = await readFile(new URL('../../packages/bff/deploy/vestibule@.service', import.meta.url), 'utf8');
      assert.ok(/^RestartPreventExitStatus=(.+)$/m.exec(unit)?.[1]?.split(' ').includes(String(status)), String(status));
      assert.equal(stderr, `vestibule needs Node.js 24.15 or newer; this is ${name}.\n`);
    });
  }

  it('responds at the root where its public URL has no path', async () => {
    await using bff = await startProcess({ ...world().env, VESTIBULE_PUBLIC_URL: 'http://www.example.com/' });
    for (const path of ['/session', '/healthz']) assert.equal((await get(bff.origin + path)).status, 200, path);
  });

  it('starts where a process manager loads the command with require()', async () => {
    const path = world().path('start.cjs');
    await writeFile(path, `require(${JSON.stringify(COMMAND)});`);
    await using process = new VestibuleProcess({ command: path, env: world().env });
    assert.equal((await get(`${await process.origin()}/healthz`)).status, 200);
    assert.equal((await process.kill()).status, 0);
  });

  for (const signal of ['SIGHUP', 'SIGQUIT', 'SIGINT'] as const) {
    it(`responds to a post in flight at ${signal}, and exits with status 0`, async () => {
      const { service, env } = world();
      await using bff = await startProcess(env);
      const reader = bff.browser(service);
      await reader.signIn();
      const { post, release } = await reader.holdPost('in flight');
      bff.process.child.kill(signal);
      assert.equal((await bff.process.logged('draining'))['signal'], signal);
      release();
      expectStatus(await post, 201);
      const { status, stderr } = await bff.process.end();
      assert.deepEqual([status, stderr], [0, '']);
    });
  }

  for (const [signal, status] of [['SIGINT', 130], ['SIGQUIT', 131]] as const) {
    it(`counts the signals of one second once, and exits at once with ${status} at a later ${signal}, not at a later SIGTERM or SIGHUP`, async () => {
      await using bff = await startProcess({ ...world().env, VESTIBULE_DRAIN_DELAY_MS: '600000' });
      const { child } = bff.process;
      for (const first of ['SIGHUP', 'SIGTERM', signal] as const) child.kill(first);
      await bff.process.logged('draining');
      for (const [path, expected] of [['/readyz', 503], ['/healthz', 200]] as const) {
        const { status, headers } = await get(bff.origin + path);
        assert.deepEqual([status, headers.get('connection')], [expected, 'close'], path);
      }
      await until('the process ends', () => {
        for (const later of ['SIGHUP', 'SIGTERM', signal] as const) child.kill(later);
        return child.exitCode;
      });
      assert.equal(child.exitCode, status);
    });
  }

  it('ends with status 0 where its signal is repeated until it has ended', async () => {
    await using bff = await startProcess(world().env);
    const { child } = bff.process;
    while (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await nextTurn();
    }
    assert.deepEqual([child.exitCode, child.signalCode], [0, null]);
  });

  it('opens no debugger at SIGUSR1', async () => {
    await using bff = await startProcess(world().env);
    bff.process.child.kill('SIGUSR1');
    // The debugger reports its address before the next request is served.
    assert.equal((await get(`${bff.origin}/healthz`)).status, 200);
    const { status, stderr } = await bff.process.kill();
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('cuts requests off that take longer than VESTIBULE_DRAIN_TIMEOUT_MS', async () => {
    const { service, env } = world();
    await using bff = await startProcess({ ...env, VESTIBULE_DRAIN_TIMEOUT_MS: '200' });
    const reader = bff.browser(service);
    await reader.signIn();
    service.faults.next('posts', { kind: 'hang' });
    const received = service.whenReceived('posts');
    const post = assert.rejects(reader.createPost('never answered').then(() => undefined), /socket hang up/);
    await received;
    const { status, stdout } = await bff.process.kill('SIGTERM');
    assert.equal(status, 0);
    assert.match(stdout, /"msg":"requests were cut off"/);
    await post;
  });

  it('reports in one line why it cannot start: a port that is taken (69), an address or a store that cannot be used (78)', async () => {
    await using stack = new AsyncDisposableStack();
    const other = stack.adopt(createServer(), closeServer);
    const { port } = new URL(await listen(other));
    for (const [variable, value, status, message] of [
      ['PORT', port, 69, `vestibule: .*127\\.0\\.0\\.1:${port} is taken by another process`],
      ['VESTIBULE_ADMIN_PORT', port, 69, `vestibule: VESTIBULE_ADMIN_PORT: 127\\.0\\.0\\.1:${port} is taken by another process`],
      ['HOST', '192.0.2.1', 78, 'vestibule: HOST: '],
      ['VESTIBULE_STORE', 'sqlite:/nonexistent/directory/store.db', 78, 'VESTIBULE_STORE: '],
    ] as const) {
      const ended = await runVestibule({ env: { ...world().env, [variable]: value } });
      assert.deepEqual([ended.status, linesOf(ended.stderr).length, ended.stdout], [status, 1, ''], ended.stderr);
      assert.match(ended.stderr, new RegExp(`^${message}`));
    }
    const { status, stderr } = await runCommand({ env: { ...world().env, PORT: '8080', VESTIBULE_ADMIN_PORT: '8080' } });
    assert.deepEqual([status, stderr], [78, 'VESTIBULE_ADMIN_PORT: must be another port than PORT\n']);
  });

  it('ends with 69, not 78, where the disk takes no write: starting again may help', () => {
    const { env, path } = world();
    const { status, stdout, stderr } = spawnSync('sh', ['-c', 'ulimit -f 0; exec "$0" "$1"', process.execPath, COMMAND], {
      env: { ...nodeEnvironment(), ...env, VESTIBULE_STORE: `sqlite:${path('full.db')}` }, encoding: 'utf8',
    });
    assert.deepEqual([status, linesOf(stderr).length, stdout], [69, 1, ''], stderr);
    assert.match(stderr, /^vestibule: VESTIBULE_STORE: .*full\.db cannot be used: /);
  });

  describe('with a hook that crashes', () => {
    const start = async (config: string): Promise<Running> => {
      const path = world().path(`${crypto.randomUUID()}.config.mjs`);
      await writeFile(path, config);
      return startProcess({ ...world().env, VESTIBULE_CONFIG: path });
    };
    const assertOneFatalLine = (stdout: string, message: string) => {
      const fatal = linesOf(stdout).filter((line) => line.includes('"level":60'));
      assert.equal(fatal.length, 1);
      assert.match(fatal[0] ?? '', new RegExp(`"stack":".*\\.config\\.mjs:1:\\d+.*"msg":"${message}`));
      assert.doesNotMatch(stdout, /canary/);
    };

    it('logs one line without the message of the error, and exits with 1', async () => {
      await using bff = await start('export default { validation: { onAccepted() { '
        + 'setTimeout(() => { throw new Error("canary"); }, 0); return new Promise(() => {}); } } };');
      await assert.rejects(bff.browser(world().service).signIn(), /socket hang up/);
      const { status, stdout, stderr } = await bff.process.end();
      assert.deepEqual([status, stderr], [1, '']);
      assertOneFatalLine(stdout, 'crashed');
    });

    it('responds to the requests in flight after a rejection that nothing handles, and exits with 1', async () => {
      const { service } = world();
      await using bff = await start('export default { posts: { prepare({ message }) { '
        + 'if (message === "reject") void Promise.reject(new Error("canary")); return { ok: true }; } } };');
      const reader = bff.browser(service);
      await reader.signIn();
      const { post, release } = await reader.holdPost('in flight');
      const rejecting = reader.createPost('reject').then((res) => res);
      await bff.process.logged('draining');
      release();
      for (const res of await Promise.all([post, rejecting])) expectStatus(res, 201);
      const { status, stdout, stderr } = await bff.process.end();
      assert.deepEqual([status, stderr], [1, '']);
      assertOneFatalLine(stdout, 'a promise was rejected and nothing handled it');
      assert.doesNotMatch(stdout, /requests were cut off/);
    });
  });
});
