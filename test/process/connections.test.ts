/** Clients that do not read their responses hold neither connections nor memory. */

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { VestibuleProcess } from '../lib/vestibule-process.ts';
import { startProcessWorld, type ProcessWorld } from './_service.ts';

const CONNECTIONS = 50;
const MIB = 1024 * 1024;

/** Node.js parses the 64 KiB that it read from a connection to the end: 6 MiB of objects for each, freed when it closes. */
const MAX_GROWTH_BYTES = CONNECTIONS * 6 * MIB;

let world: ProcessWorld;
before(async () => { world = await startProcessWorld(); });
after(() => world[Symbol.asyncDispose]());

async function residentBytes({ child }: VestibuleProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

async function openSockets({ child }: VestibuleProcess): Promise<number> {
  return (await readdir(`/proc/${child.pid}/fd`)).length;
}

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
    it(`and pipelines GET ${path} is disconnected`, async () => {
      await using bff = new VestibuleProcess({ env: world.env });
      const origin = await bff.origin();
      await (await fetch(origin + path)).arrayBuffer();
      const [memory, sockets] = [await residentBytes(bff), await openSockets(bff)];
      const beganAt = performance.now();
      const clients = Array.from({ length: CONNECTIONS }, () => (
        sendWithoutReading(Number(new URL(origin).port), `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(500))
      ));
      await Promise.all(clients.map(closed));
      assert.ok(performance.now() - beganAt < 30_000);
      assert.equal((await fetch(`${origin}/healthz`)).status, 200);
      while (await openSockets(bff) > sockets + 2) assert.ok(performance.now() - beganAt < 40_000, 'the connections are not closed');
      assert.ok(await residentBytes(bff) < memory + MAX_GROWTH_BYTES, `${(await residentBytes(bff) - memory) / MIB} MiB`);
    });
  }
});
