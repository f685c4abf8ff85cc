/** Attacks of a security review on availability: one client makes the BFF unavailable to others, or stops its log. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { descriptorsOf, settle } from '../abuse/_process-usage.ts';
import { RawConnection } from '../abuse/_raw-connection.ts';
import { endProcess } from '../lib/end-process.ts';
import { freePort } from '../lib/free-port.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { vestibule } from '../lib/vestibule-command.ts';
import { nodeEnvironment, VestibuleProcess } from '../lib/vestibule-process.ts';
import { LoadReader } from '../load/_reader.ts';
import { ORIGIN, REDIRECT_URI, startProcessWorld, type ProcessWorld } from '../process/_service.ts';
import { startWorld } from './_world.ts';

const HEAD = 'Host: www.example.test\r\n';

let world: ProcessWorld;
before(async () => { world = await startProcessWorld(); });
after(() => world[Symbol.asyncDispose]());

async function serve(settings: Readonly<Record<string, string>> = {}): Promise<VestibuleProcess & { port: number }> {
  const bff = new VestibuleProcess({ env: { ...world.env, ...settings } });
  return Object.assign(bff, { port: Number(new URL(await bff.origin()).port) });
}

describe('static files', () => {
  it('security review 1: a malformed Range resets no connection', async () => {
    await using bff = await serve();
    const ranges = ['bytes=5-2', 'bytes=9-1', 'bytes=-0', 'bytes=99999999-', 'bytes=a-b', 'bytes=', 'bytes=--5'];
    const connection = await RawConnection.open(bff, '127.0.0.1');
    for (const [i, range] of ranges.entries()) {
      connection.write(`GET /vestibule/widget.js HTTP/1.1\r\n${HEAD}Range: ${range}\r\n\r\n`);
      await connection.responses(i + 1, 10_000);
    }
    assert.deepEqual(connection.statuses, ranges.map(() => 200));
    connection.abort();
  });

  it('security review 1: aborted downloads leave no descriptor open', async () => {
    await using bff = await serve();
    const request = `GET /vestibule/widget.js HTTP/1.1\r\n${HEAD}\r\n`;
    const download = async () => {
      const connection = await RawConnection.open(bff, '127.0.0.1');
      connection.write(request.repeat(8));
      await connection.responses(1, 10_000);
      connection.reset();
    };
    await download();
    const before = await descriptorsOf(bff.child.pid as number);
    for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 20 }, download));
    const after = await settle(() => descriptorsOf(bff.child.pid as number), (count) => count <= before + 2, 5_000);
    assert.ok(after <= before + 2, `${after} descriptors, ${before} before`);
  });

  it('security review 1: files that are removed while the process runs are served, and it goes on', async () => {
    await using directory = await temporaryDirectory();
    const archive = join(directory.path, 'archive');
    await mkdir(join(archive, 'assets'), { recursive: true });
    await writeFile(join(archive, 'assets', 'chunk-of-another-release.js'), 'export {};');
    await using bff = await serve({ VESTIBULE_WIDGET_ARCHIVE: archive });
    await rm(archive, { recursive: true });
    const statuses = [];
    for (const path of ['assets/chunk-of-another-release.js', 'assets/missing.js', 'widget.js', 'healthz']) {
      statuses.push((await fetch(`http://127.0.0.1:${bff.port}/vestibule/${path}`)).status);
    }
    assert.deepEqual(statuses, [200, 404, 200, 200]);
  });
});

describe('SIGTERM', () => {
  it('security review 12: twice within a second cuts off no post in flight', async () => {
    await using bff = await serve();
    const agent = new Agent({ keepAlive: true });
    const reader = new LoadReader({ url: `${await bff.origin()}/vestibule`, origin: ORIGIN, redirectUri: REDIRECT_URI, agent });
    const [user] = world.service.readers;
    assert.ok(user);
    await reader.signIn(world.service, user);
    world.service.faults.next('posts', { kind: 'delay', delayMs: 500 });
    const received = world.service.whenReceived('posts');
    const post = reader.post('during two signals');
    await received;
    bff.child.kill('SIGTERM');
    await bff.logged('draining');
    bff.child.kill('SIGTERM');
    assert.equal((await post).status, 201);
    assert.equal((await bff.end()).status, 0);
  });
});

describe('the log', () => {
  it('security review 6: on a full disk stops neither requests nor the exit', async () => {
    const full = await open('/dev/full', 'w');
    const port = await freePort();
    const child = spawn(process.execPath, [...vestibule], {
      env: { ...nodeEnvironment(), ...world.env, PORT: String(port) },
      stdio: ['ignore', full.fd, 'inherit'],
    });
    try {
      while (child.exitCode === null && !await accepts(port)) await pause(20);
      for (let i = 0; i < 50; i += 1) assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
      const beganAt = performance.now();
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      assert.deepEqual(await exited, [0, null]);
      assert.ok(performance.now() - beganAt < 5_000);
    } finally {
      await endProcess(child, 'SIGKILL');
      await full.close();
    }
  });
});

describe('a publisher\'s pattern', () => {
  it('security review 7: that backtracks without end blocks no request', async () => {
    const name = { name: 'name', type: 'text', label: 'Your name', required: true, pattern: String.raw`([A-Za-z]+[ '\-]?)+` } as const;
    await using bff = await startWorld({ validation: { fields: [name] } });
    const browser = bff.browser();
    await browser.start();
    const beganAt = performance.now();
    const refused = await browser.validate({ name: `${'a'.repeat(27)}!` });
    assert.equal(refused.status, 422);
    assert.ok(performance.now() - beganAt < 1_000);
    assert.equal((await browser.validate({ name: 'Anna-Maria de la Cruz' })).status, 200);
  });
});

describe('a client that reads no response', () => {
  for (const path of ['healthz', 'widget.js', 'session']) {
    it(`security review 8: is disconnected while it pipelines GET ${path}`, async () => {
      await using bff = await serve();
      const before = await descriptorsOf(bff.child.pid as number);
      const request = `GET /vestibule/${path} HTTP/1.1\r\n${HEAD}\r\n`;
      const connections = await Promise.all(Array.from({ length: 20 }, async () => {
        const connection = await RawConnection.open(bff, '127.0.0.1');
        connection.write(request);
        await connection.responses(1, 10_000);
        connection.pause();
        connection.write(request.repeat(500));
        return connection;
      }));
      const after = await settle(() => descriptorsOf(bff.child.pid as number), (count) => count <= before + 2, 20_000);
      for (const connection of connections) connection.abort();
      assert.ok(after <= before + 2, `${after} descriptors, ${before} before`);
    });
  }
});

function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect').then(() => true, () => false).finally(() => socket.destroy());
}
