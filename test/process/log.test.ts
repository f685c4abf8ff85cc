/** Destinations of the log: one that takes nothing stops no request and delays no exit; a terminal gets text for people. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { fileURLToPath } from 'node:url';
import { PUBLIC_URL } from '../lib/bff-process.ts';
import { freePort } from '../lib/free-port.ts';
import { expectStatus, ReaderClient } from '../lib/reader.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';
import { nodeEnvironment } from '../lib/vestibule-process.ts';
import { startWorld } from './_world.ts';

const COMMAND = fileURLToPath(new URL('../../packages/bff/bin/vestibule.js', import.meta.url));

/** Requests by destination. The lines of 1,500, some 280 bytes each, exceed the buffers of a pipe and of the log. */
const destinations = { 'pipe that is not read': 1_500, '/dev/full': 50 };

/** Of the start. */
const LAST_LINE = 'listening';

const CONTROL_C = '\x03';

describe('the log', () => {
  const world = suiteResource(startWorld);

  for (const [destination, requests] of Object.entries(destinations)) {
    it(`to a ${destination} loses lines, and stops neither requests nor the exit`, async () => {
      const port = String(await freePort());
      const file = destination === '/dev/full' ? await open(destination, 'w') : undefined;
      const child = spawn(process.execPath, [COMMAND], {
        env: { ...nodeEnvironment(), ...world().env, PORT: port }, stdio: ['ignore', file?.fd ?? 'pipe', 'inherit'],
      });
      const exited = once(child, 'exit');
      try {
        child.stdout?.pause();
        const status = async (path: string) => {
          const response = await fetch(`http://127.0.0.1:${port}${path}`);
          await response.body?.cancel();
          return response.status;
        };
        await until('it listens', async () => await status('/readyz') === 200);
        let sent = 0;
        await Promise.all(Array.from({ length: 8 }, async () => {
          while ((sent += 1) <= requests) assert.equal(await status('/nothing'), 404);
        }));
        assert.equal(await status('/readyz'), 200);
        child.kill('SIGTERM');
        assert.deepEqual(await exited, [0, null]);
      } finally {
        child.kill('SIGKILL');
        await exited;
        await file?.close();
      }
    });
  }

  it('to a terminal that is closed does not stop the posts in flight', async () => {
    const { service, env } = world();
    const port = String(await freePort());
    const terminal = spawn('script', ['--quiet', '--flush', '--return', '--command', `exec '${process.execPath}' '${COMMAND}'`, '/dev/null'], {
      env: { ...nodeEnvironment(), TERM: 'xterm', SHELL: '/bin/sh', ...env, PORT: port }, stdio: ['pipe', 'pipe', 'inherit'],
    });
    const closed = once(terminal, 'close');
    terminal.stdout.resume();
    const origin = `http://127.0.0.1:${port}`;
    const health = async (path: string) => fetch(origin + path).then(({ status }) => status, () => 0);
    await until('it listens', async () => await health('/readyz') === 200);
    const reader = new ReaderClient({
      server: origin, path: new URL(PUBLIC_URL).pathname, service, origin: new URL(PUBLIC_URL).origin, redirectUri: `${PUBLIC_URL}/sync/return`,
    });
    await reader.signIn();
    const { post, release } = await reader.holdPost('in flight');
    terminal.kill('SIGKILL');
    await closed;
    await until('it drains', async () => await health('/readyz') !== 200);
    release();
    expectStatus(await post, 201);
    await until('it has ended', async () => await health('/healthz') === 0);
  });

  describe('on a terminal', () => {
    const output = suiteResource(async () => {
      const terminal = spawn('script', ['--quiet', '--flush', '--return', '--command', `exec '${process.execPath}' '${COMMAND}'`, '/dev/null'], {
        env: { ...nodeEnvironment(), TERM: 'xterm', SHELL: '/bin/sh', ...world().env }, stdio: ['pipe', 'pipe', 'inherit'],
      });
      const closed = once(terminal, 'close') as Promise<[number | null]>;
      let text = '';
      terminal.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        // The terminal discards what it has not yet shown at Control-C: after the last line of the start.
        if (!text.includes(LAST_LINE) && (text + chunk).includes(LAST_LINE)) terminal.stdin.write(CONTROL_C);
        text += chunk;
      });
      const [status] = await closed;
      return { status, text: stripVTControlCharacters(text), async [Symbol.asyncDispose]() {} };
    });

    it('ends with status 0 at Control-C', () => {
      assert.equal(output().status, 0, output().text);
      assert.match(output().text, /listening[^]*draining[^]*stopped/);
    });

    it('is readable for people, one line an event', () => {
      const lines = output().text.replaceAll('^C', '').split('\r\n').filter((line) => line !== '');
      assert.deepEqual(lines.filter((line) => line.startsWith('{')), []);
      assert.ok(lines.some((line) => /INFO.* listening/i.test(line)));
    });
  });
});
