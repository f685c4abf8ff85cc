/** A log destination that takes nothing stops no request and does not keep the process from exiting. */

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../lib/free-port.ts';
import { vestibule } from '../lib/vestibule-command.ts';
import { nodeEnvironment } from '../lib/vestibule-process.ts';
import { ask } from '../load/_ask.ts';
import { LoadReader } from '../load/_reader.ts';
import { ORIGIN, REDIRECT_URI, startProcessWorld, type ProcessWorld } from './_service.ts';

/** Their lines, some 280 bytes each, exceed the buffers of the socket and of the log (256 KiB) together. */
const MANY_REQUESTS = 3_000;

/** Their lines exceed the buffer of the log. */
const SOME_REQUESTS = 1_800;

let world: ProcessWorld;
before(async () => { world = await startProcessWorld(); });
after(() => world[Symbol.asyncDispose]());

interface Serving extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly url: string;
  lostLines(): Promise<number>;
  /** Sends requests over a few connections; all must be answered. */
  flood(requests: number): Promise<void>;
  /** Exit status and the time from `signal` to the exit, in ms. */
  end(signal?: NodeJS.Signals): Promise<{ status: number | null; ms: number }>;
}

/** @param stdout `terminal`: a pseudo-terminal whose other side is the child `script` (util-linux) */
async function serve(stdout: number | 'pipe' | 'terminal', settings: Readonly<Record<string, string>> = {}): Promise<Serving> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const env = { ...nodeEnvironment(), ...world.env, PORT: String(port), VESTIBULE_ADMIN_PORT: String(adminPort), ...settings };
  const isTerminal = stdout === 'terminal';
  const command = `exec '${process.execPath}' ${vestibule.map((part) => `'${part}'`).join(' ')}`;
  const child = isTerminal
    ? spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
        env: { ...env, TERM: 'xterm', SHELL: '/bin/sh' }, stdio: ['pipe', 'pipe', 'inherit'],
      })
    : spawn(process.execPath, vestibule, { env, stdio: ['ignore', stdout, 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  const agent = new Agent();
  while (child.exitCode === null && (await ask(`${url}/healthz`, { agent })).status !== 200) await new Promise((resolve) => { setTimeout(resolve, 50); });
  const serving: Serving = {
    child,
    url,
    async lostLines() {
      const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
      return Number(/^vestibule_log_lines_lost_total (\d+)$/m.exec(text)?.[1]);
    },
    async flood(requests) {
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      const statuses = await Promise.all(Array.from({ length: requests }, async () => (await ask(`${url}/nothing`, { agent })).status));
      assert.deepEqual([...new Set(statuses)], [404]);
      agent.destroy();
    },
    async end(signal) {
      const exited = once(child, 'exit') as Promise<[number | null]>;
      const beganAt = performance.now();
      const pid = isTerminal ? Number(await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')) : child.pid ?? 0;
      if (signal) process.kill(pid, signal);
      if (!isTerminal) await exited;
      while (await isRunning(pid)) await new Promise((resolve) => { setTimeout(resolve, 20); });
      const ms = performance.now() - beganAt;
      // `script` itself waits until its output is read.
      if (isTerminal) child.stdout?.resume();
      const [status] = await exited;
      return { status, ms };
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await serving.end('SIGKILL');
    },
  };
  return serving;
}

async function isRunning(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return state !== '' && !/^.*\) Z /s.test(state);
}

/** @param isRead whether the destination takes lines, so that none need be lost */
async function assertServesAndStops(bff: Serving, { isRead = false, requests = MANY_REQUESTS } = {}): Promise<void> {
  assert.equal(await bff.lostLines(), 0);
  await bff.flood(requests);
  const lost = await bff.lostLines();
  assert.ok((isRead || lost > 0) && lost <= requests + 10, `${lost} lines lost`);
  assert.equal((await fetch(`${bff.url}/readyz`)).status, 200);
  const { status, ms } = await bff.end('SIGTERM');
  assert.equal(status, 0);
  assert.ok(ms < 5_000, `${ms} ms`);
}

describe('a log destination', () => {
  it('that is full', async () => {
    const full = await open('/dev/full', 'w');
    try {
      await using bff = await serve(full.fd);
      await assertServesAndStops(bff, { requests: SOME_REQUESTS });
    } finally {
      await full.close();
    }
  });

  it('that is not read', async () => {
    await using bff = await serve('pipe');
    bff.child.stdout?.pause();
    await assertServesAndStops(bff);
  });

  it('that is a terminal and is not read', { timeout: 30_000 }, async () => {
    await using bff = await serve('terminal');
    bff.child.stdout?.pause();
    await assertServesAndStops(bff);
  });

  it('that is slow gets whole lines', async () => {
    await using bff = await serve('pipe');
    let text = '';
    const stdout = bff.child.stdout as NodeJS.ReadableStream;
    stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      stdout.pause();
      setTimeout(() => { stdout.resume(); }, 100);
    });
    const read = once(stdout, 'end');
    await assertServesAndStops(bff, { isRead: true });
    await read;
    for (const line of text.split('\n').slice(0, -1)) JSON.parse(line);
  });

  it('that is closed', async () => {
    await using bff = await serve('pipe');
    bff.child.stdout?.destroy();
    await assertServesAndStops(bff, { requests: SOME_REQUESTS });
  });

  it('that is read again gets later lines', async () => {
    await using bff = await serve('pipe');
    bff.child.stdout?.pause();
    await bff.flood(MANY_REQUESTS);
    let text = '';
    bff.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => { text += chunk; }).resume();
    // Lines are dropped until the buffer has room again.
    for (let lost = -1; lost !== await bff.lostLines();) {
      lost = await bff.lostLines();
      await fetch(`${bff.url}/nothing`);
    }
    const read = once(bff.child.stdout as NodeJS.ReadableStream, 'end');
    const { status } = await bff.end('SIGTERM');
    await read;
    assert.equal(status, 0);
    const lines = text.trimEnd().split('\n').map((line) => JSON.parse(line) as { msg: string });
    assert.equal(lines.at(-1)?.msg, 'stopped');
  });

  for (const [name, destination] of [['is full', '/dev/full'], ['is not read', 'pipe']] as const) {
    it(`that ${name} does not keep a crashed process alive`, async () => {
      const path = join(world.directory, 'crash.config.mjs');
      await writeFile(path, 'export default { validation: { onAccepted() { setTimeout(() => { throw new Error(); }, 0); return new Promise(() => {}); } } };');
      const file = destination === 'pipe' ? undefined : await open(destination, 'w');
      try {
        await using bff = await serve(file?.fd ?? 'pipe', { VESTIBULE_CONFIG: path });
        bff.child.stdout?.pause();
        await bff.flood(file ? SOME_REQUESTS : MANY_REQUESTS);
        const reader = new LoadReader({ url: `${bff.url}/vestibule`, origin: ORIGIN, redirectUri: REDIRECT_URI, agent: new Agent() });
        const [user] = world.service.readers;
        assert.ok(user);
        const signIn = reader.signIn(world.service, user).catch(() => undefined);
        const { status, ms } = await bff.end();
        await signIn;
        assert.equal(status, 1);
        assert.ok(ms < 3_000, `${ms} ms`);
      } finally {
        await file?.close();
      }
    });
  }
});
