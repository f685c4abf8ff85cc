import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import express from 'express';
import { messagesOf } from './express-messages.ts';

function prototypesOf(...messages: readonly object[]): readonly unknown[] {
  return messages.map((message) => Object.getPrototypeOf(message) as unknown);
}

/** An application that answers with what Express adds to messages, and the prototypes that they had there. */
function createApp() {
  const seen: (readonly unknown[])[] = [];
  const app = express().use((req, res) => {
    seen.push(prototypesOf(req, res));
    res.json({ host: req.hostname, own: req.app === app && res.app === app });
  });
  return { app, seen };
}

async function ask(server: Server): Promise<unknown> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    return await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).json();
  } finally {
    server.close();
  }
}

describe('messagesOf', () => {
  it('makes messages that the application takes as they are', async () => {
    const { app, seen } = createApp();
    const before: (readonly unknown[])[] = [];
    const server = createServer(messagesOf(app), (req: IncomingMessage, res: ServerResponse) => {
      before.push(prototypesOf(req, res));
      app(req, res);
    });
    assert.deepEqual(await ask(server), { host: '127.0.0.1', own: true });
    assert.deepEqual([before[0]?.[0] === seen[0]?.[0], before[0]?.[1] === seen[0]?.[1]], [true, true]);
  });

  it('leaves the application to answer messages of any other server', async () => {
    const { app } = createApp();
    messagesOf(app);
    assert.deepEqual(await ask(createServer(app)), { host: '127.0.0.1', own: true });
  });
});
