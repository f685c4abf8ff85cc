/** Clients that do not read their responses hold neither connections nor memory. */

import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { descriptorsOf, residentMiBOf, settle } from '../abuse/_process-usage.ts';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import { ask } from '../load/_ask.ts';
import { startProcessWorld, type ProcessWorld } from './_service.ts';

const CONNECTIONS = 100;

/** V8 lets a heap grow with the requests in flight before it collects garbage. In a small one, growth is what is in use. */
const SMALL_HEAP = ['--max-semi-space-size=4', '--max-old-space-size=48'];

/** A process that has just started extends its heap with any work. */
const WARM_UP_REQUESTS = 2_000;

const MAX_GROWTH_MIB = 32;
const CLOSED_WITHIN_MS = 5_000;

let world: ProcessWorld;
let bff: VestibuleProcess;
let origin: string;
before(async () => {
  world = await startProcessWorld();
  bff = new VestibuleProcess({ env: world.env, nodeArgs: SMALL_HEAP });
  origin = await bff.origin();
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  await Promise.all(Array.from({ length: WARM_UP_REQUESTS }, () => ask(`${origin}/vestibule/session`, { agent })));
  agent.destroy();
});
after(async () => {
  await bff[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** A client that sends requests as long as they are accepted, and reads nothing. */
function sendWithoutReading(port: number, requests: string): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined).pause();
  const send = (error?: Error | null) => { if (!error && !socket.destroyed) socket.write(requests, send); };
  socket.on('connect', () => { send(); });
  return socket;
}

/** Resolves when the server has closed the connection, which a client that does not read learns from a failed write. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => { resolve(); });
  });
}

describe('a client that does not read', () => {
  for (const path of ['/healthz', '/vestibule/widget.js', '/vestibule/session', '/nothing']) {
    it(`and pipelines GET ${path} is disconnected within ${CLOSED_WITHIN_MS / 1000} s and costs no memory`, async (t) => {
      const pid = bff.child.pid as number;
      const [memory, descriptors] = [await residentMiBOf(pid), await descriptorsOf(pid)];
      const beganAt = performance.now();
      const clients = Array.from({ length: CONNECTIONS }, () => (
        sendWithoutReading(Number(new URL(origin).port), `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(1_000))
      ));
      await Promise.all(clients.map(closed));
      const ms = performance.now() - beganAt;
      assert.ok(ms < CLOSED_WITHIN_MS, `${ms} ms`);
      assert.equal((await fetch(`${origin}/healthz`)).status, 200);
      const after = await settle(() => descriptorsOf(pid), (count) => count <= descriptors + 2, CLOSED_WITHIN_MS);
      assert.ok(after <= descriptors + 2, `${after} descriptors, ${descriptors} before`);
      const growth = await residentMiBOf(pid) - memory;
      t.diagnostic(`closed in ${ms.toFixed(0)} ms, ${growth.toFixed(0)} MiB more`);
      assert.ok(growth < MAX_GROWTH_MIB, `${growth} MiB`);
    });
  }
});
