/** How the process begins and ends (contract, section 3). */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { createServer, connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../lib/free-port.ts';
import { runVestibule, VestibuleProcess } from '../lib/vestibule-process.ts';
import { ask } from '../load/_ask.ts';
import { LoadReader } from '../load/_reader.ts';
import { ORIGIN, REDIRECT_URI, startProcessWorld, type ProcessWorld } from './_service.ts';

let world: ProcessWorld;
before(async () => { world = await startProcessWorld(); });
after(() => world[Symbol.asyncDispose]());

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

async function signedIn(bff: VestibuleProcess, agent = new Agent({ keepAlive: true })): Promise<LoadReader> {
  const reader = new LoadReader({ url: `${await bff.origin()}/vestibule`, origin: ORIGIN, redirectUri: REDIRECT_URI, agent });
  await reader.signIn(world.service, world.service.readers[0] as (typeof world.service.readers)[number]);
  return reader;
}

describe('a process that was asked to stop', () => {
  it('answers 503 at /readyz while it still accepts connections, and closes each with its response', async () => {
    await using bff = new VestibuleProcess({ env: { ...world.env, VESTIBULE_DRAIN_DELAY_MS: '60000' } });
    const agent = new Agent({ keepAlive: true });
    const origin = await bff.origin();
    assert.equal((await ask(`${origin}/readyz`, { agent })).status, 200);
    bff.child.kill('SIGTERM');
    await bff.logged('draining');
    const ready = await ask(`${origin}/readyz`, { agent });
    assert.deepEqual([ready.status, ready.headers['connection']], [503, 'close']);
    const healthy = await ask(`${origin}/healthz`, { agent });
    assert.deepEqual([healthy.status, healthy.headers['connection']], [200, 'close']);
    agent.destroy();
  });

  it('answers requests in flight with Connection: close', async () => {
    await using bff = new VestibuleProcess({ env: world.env });
    const reader = await signedIn(bff);
    const { promise: draining, resolve } = Promise.withResolvers<void>();
    world.service.faults.next('posts', { kind: 'held', until: draining });
    const received = world.service.whenReceived('posts');
    const post = reader.post('just in time');
    await received;
    bff.child.kill('SIGTERM');
    await bff.logged('draining');
    resolve();
    const { status, headers } = await post;
    assert.deepEqual([status, headers['connection']], [201, 'close']);
    assert.equal((await bff.end()).status, 0);
  });

  it('finishes a post whose reader disconnected, so that the same key gets its response', async () => {
    await using bff = new VestibuleProcess({ env: world.env });
    const agent = new Agent({ keepAlive: true });
    const reader = await signedIn(bff, agent);
    world.service.faults.next('posts', { kind: 'delay', delayMs: 500 });
    const received = world.service.whenReceived('posts');
    const post = reader.post('from one who left', 'key-of-one-who-left');
    await received;
    agent.destroy();
    assert.equal((await post).status, 0);
    await bff.kill('SIGTERM');
    await using next = new VestibuleProcess({ env: world.env });
    const again = await reader.at(`${await next.origin()}/vestibule`).post('from one who left', 'key-of-one-who-left');
    assert.deepEqual([again.status, again.headers['idempotency-replayed']], [201, 'true']);
    assert.equal(world.service.posts.filter(({ message }) => message === 'from one who left').length, 1);
  });

  it('cuts off requests that take longer than the limit', async () => {
    await using bff = new VestibuleProcess({ env: { ...world.env, VESTIBULE_DRAIN_TIMEOUT_MS: '200' } });
    const reader = await signedIn(bff);
    world.service.faults.next('posts', { kind: 'hang' });
    const received = world.service.whenReceived('posts');
    const post = reader.post('never answered');
    await received;
    const began = performance.now();
    const { status, stdout } = await bff.kill('SIGTERM');
    assert.equal(status, 0);
    assert.ok(performance.now() - began < 5_000);
    assert.match(stdout, /"requests":1,"msg":"requests were cut off"/);
    assert.equal((await post).status, 0);
  });

  it('does not wait for a connection without a request', async () => {
    await using bff = new VestibuleProcess({ env: world.env });
    const socket = connect(Number(new URL(await bff.origin()).port), '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    const began = performance.now();
    assert.equal((await bff.kill('SIGTERM')).status, 0);
    assert.ok(performance.now() - began < 5_000);
    socket.destroy();
  });

  for (const [signal, status, waitMs] of [['SIGTERM', 143, 1_100], ['SIGINT', 130, 0]] as const) {
    it(`exits at once at a later ${signal}, with status ${status}`, async () => {
      await using bff = new VestibuleProcess({ env: { ...world.env, VESTIBULE_DRAIN_DELAY_MS: '60000' } });
      await bff.origin();
      bff.child.kill('SIGTERM');
      await bff.logged('draining');
      await pause(waitMs);
      const beganAt = performance.now();
      assert.equal((await bff.kill(signal)).status, status);
      assert.ok(performance.now() - beganAt < 2_000);
    });
  }

  it('is not stopped by SIGHUP', async () => {
    await using bff = new VestibuleProcess({ env: world.env });
    const origin = await bff.origin();
    bff.child.kill('SIGHUP');
    await bff.logged('SIGHUP is ignored: restart to apply other settings');
    assert.equal((await fetch(`${origin}/readyz`)).status, 200);
  });
});

describe('a process that cannot serve', () => {
  it('reports in one line that its port is taken, with status 69', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    for (const variable of ['PORT', 'VESTIBULE_ADMIN_PORT']) {
      const { status, stdout, stderr } = await runVestibule({ env: { ...world.env, [variable]: port } });
      assert.deepEqual([status, linesOf(stderr).length, stdout], [69, 1, '']);
      assert.match(stderr, new RegExp(`^vestibule: .*127\\.0\\.0\\.1:${port} is taken by another process`));
    }
    other.close();
  });

  it('reports in one line that the machine has no such address, with status 78', async () => {
    const { status, stderr } = await runVestibule({ env: { ...world.env, HOST: '192.0.2.1' } });
    assert.deepEqual([status, linesOf(stderr).length], [78, 1]);
    assert.match(stderr, /^vestibule: HOST: /);
  });
});

describe('a process that crashes', () => {
  const assertOneFatalLine = (stdout: string, message: string) => {
    const fatal = linesOf(stdout).filter((line) => line.includes('"level":60'));
    assert.equal(fatal.length, 1);
    assert.match(fatal[0] ?? '', new RegExp(`"stack":".*\\.config\\.mjs:1:\\d+.*"msg":"${message}`));
    assert.doesNotMatch(stdout, /canary/);
  };

  it('because a hook throws uncaught logs one line without its message, and exits with 1 within a second', async () => {
    const path = join(world.directory, 'throws.config.mjs');
    const hook = 'onAccepted() { setTimeout(() => { throw new Error("canary"); }, 0); return new Promise(() => {}); }';
    const noteTime = `process.once('uncaughtExceptionMonitor', () => { writeFileSync(${JSON.stringify(`${path}.at`)}, String(Date.now())); });`;
    await writeFile(path, `export default { validation: { ${hook} } }; import { writeFileSync } from 'node:fs'; ${noteTime}`);
    await using bff = new VestibuleProcess({ env: { ...world.env, VESTIBULE_CONFIG: path } });
    await assert.rejects(signedIn(bff));
    const { status, stdout, stderr } = await bff.end();
    const ms = Date.now() - Number(await readFile(`${path}.at`, 'utf8'));
    assert.ok(ms < 1_000, `${ms} ms`);
    assert.deepEqual([status, stderr], [1, '']);
    assertOneFatalLine(stdout, 'crashed');
  });

  it('because nothing handles a rejection in a hook finishes the requests in flight, logs one line, and exits with 1', async () => {
    const path = join(world.directory, 'rejects.config.mjs');
    const hook = 'prepare({ message }) { if (message === "reject") void Promise.reject(new Error("canary")); return { ok: true }; }';
    await writeFile(path, `export default { posts: { ${hook} } };`);
    await using bff = new VestibuleProcess({ env: { ...world.env, VESTIBULE_CONFIG: path } });
    const reader = await signedIn(bff);
    world.service.faults.next('posts', { kind: 'delay', delayMs: 500 });
    const received = world.service.whenReceived('posts');
    const post = reader.post('in flight');
    await received;
    const cause = reader.post('reject');
    assert.deepEqual([(await post).status, (await cause).status], [201, 201]);
    const { status, stdout, stderr } = await bff.end();
    assert.deepEqual([status, stderr], [1, '']);
    assertOneFatalLine(stdout, 'a promise was rejected and nothing handled it: the process drains and ends');
    assert.match(stdout, /"msg":"draining"}\n.*"msg":"stopped"}$/s);
    assert.doesNotMatch(stdout, /requests were cut off/);
  });
});

describe('VESTIBULE_ADMIN_PORT', () => {
  it('serves the metrics on loopback only', async () => {
    const port = await freePort();
    await using bff = new VestibuleProcess({ env: { ...world.env, VESTIBULE_ADMIN_PORT: String(port) } });
    const origin = await bff.origin();
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
    assert.match(await metrics.text(), /^vestibule_http_requests_open 0$/m);
    assert.equal((await fetch(`${origin}/metrics`)).status, 404);
    assert.equal((await fetch(`${origin}/vestibule/metrics`)).status, 404);
    assert.equal((await bff.kill('SIGTERM')).status, 0);
  });
});

describe('requests that are no HTTP', () => {
  it('are counted, and logged once a minute without their bytes', async () => {
    const adminPort = await freePort();
    await using bff = new VestibuleProcess({ env: { ...world.env, VESTIBULE_ADMIN_PORT: String(adminPort) } });
    const { port } = new URL(await bff.origin());
    for (const [requests, bytes] of [[50, 'canary'], [1, `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'canary'.repeat(4_000)}\r\n\r\n`]] as const) {
      await Promise.all(Array.from({ length: requests }, async () => {
        const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
        socket.write(`${bytes}\r\n\r\n`);
        await once(socket.resume(), 'close');
      }));
    }
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    const counts = [...metrics.matchAll(/^vestibule_http_requests_refused_total(\S+ \d+)$/gm)].map(([, count]) => count);
    assert.deepEqual(counts, ['{status="400"} 50', '{status="408"} 0', '{status="431"} 1']);
    await bff.kill('SIGTERM');
    const lines = bff.lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => String(msg).startsWith('a request was incomplete'));
    assert.deepEqual(lines.map(({ level, status, setting }) => [level, status, setting]), [
      [30, 400, 'the client or the proxy, which may speak TLS to this port'],
      [40, 431, 'the cookies of the site: the head of a request exceeds 16 KiB'],
    ]);
    assert.doesNotMatch(bff.lines.join(''), /canary/);
  });
});

describe('a process on SQLite', () => {
  it('loads no Redis client', async () => {
    const refusal = 'throw new Error("the Redis client is loaded")';
    const hook = `import { registerHooks } from 'node:module'; registerHooks({ load: (url, context, next) => { if (/@redis|rate-limit-redis/.test(url)) ${refusal}; return next(url, context); } });`;
    await using bff = new VestibuleProcess({ env: world.env, nodeArgs: ['--import', `data:text/javascript,${encodeURIComponent(hook)}`] });
    await bff.origin();
  });
});

describe('connections beyond a limit', () => {
  for (const [limit, variable, setting] of [
    ['all', 'VESTIBULE_MAX_CONNECTIONS', 'VESTIBULE_MAX_CONNECTIONS'],
    ['address', 'VESTIBULE_MAX_CONNECTIONS_PER_ADDRESS', 'VESTIBULE_MAX_CONNECTIONS_PER_ADDRESS, or VESTIBULE_TRUST_PROXY behind a proxy'],
  ] as const) {
    it(`(${limit}) are counted, and logged once a minute with the setting`, async () => {
      const adminPort = await freePort();
      await using bff = new VestibuleProcess({ env: { ...world.env, VESTIBULE_ADMIN_PORT: String(adminPort), [variable]: '1' } });
      const { port } = new URL(await bff.origin());
      const open = connect(Number(port), '127.0.0.1');
      await once(open, 'connect');
      for (let i = 0; i < 3; i += 1) {
        await once(connect(Number(port), '127.0.0.1').on('error', () => undefined).resume(), 'close');
      }
      open.destroy();
      const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
      assert.match(metrics, new RegExp(`^vestibule_http_connections_limited_total\\{limit="${limit}"\\} 3$`, 'm'));
      await bff.kill('SIGTERM');
      const lines = bff.lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => String(msg).startsWith('a connection exceeds'));
      assert.deepEqual(lines.map((line) => [line['level'], line['limit'], line['setting']]), [[40, limit, setting]]);
    });
  }
});
