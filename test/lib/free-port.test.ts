import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { freePort } from './free-port.ts';

describe('freePort', () => {
  it('gives each port once, and keeps it from other processes', async () => {
    const ports = await Promise.all(Array.from({ length: 200 }, freePort));
    assert.equal(new Set(ports).size, ports.length);
    for (const port of ports.slice(0, 5)) {
      const socket = createSocket('udp4');
      socket.bind({ port, address: '127.0.0.1', exclusive: true });
      await assert.rejects(once(socket, 'listening'), { code: 'EADDRINUSE' });
    }
  });
});
