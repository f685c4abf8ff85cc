/** Promises about hosts, proxies and stored data that reviews found broken or untested. */

import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startBff } from '../lib/bff.ts';
import { COOKIE_SECRET } from '../lib/bff-environment.ts';
import { closeServer, listen } from '../lib/loopback-server.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { runVestibule } from '../lib/vestibule-process.ts';

/** Status of a response to raw bytes. */
async function statusOf(origin: string, bytes: string): Promise<number> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.end(bytes);
  let response = '';
  for await (const chunk of socket.setEncoding('latin1')) response += String(chunk);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1]);
}

describe('a request target in absolute form', () => {
  const absolute = (host: string) => `GET http://${host}/vestibule/session HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

  it('names the same resource on the handler alone', async () => {
    await using bff = await startBff();
    const server = createServer(bff.vestibule.router);
    const origin = await listen(server);
    try {
      assert.equal(await statusOf(origin, absolute('www.example.com')), 200);
    } finally {
      await closeServer(server);
    }
  });

  it('names the same resource where a host application mounts the router', async () => {
    await using bff = await startBff();
    assert.equal(await statusOf(bff.url, absolute('www.example.com')), 200);
  });
});

describe('a store of 0.1.0', () => {
  const form_version = 'EUPNVNVnZ-BJ';

  // The file was written by 0.1.0 with `COOKIE_SECRET`: two accepted readers with a post each, and a sign-in that waits.
  it('keeps its profiles', async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, 'store.db');
    await copyFile(join(import.meta.dirname, 'data/store-0.1.db'), path);
    const { status, stdout, stderr } = await runVestibule({
      args: ['profiles'],
      cwd: directory.path,
      env: {
        VESTIBULE_SERVICE_URL: 'http://127.0.0.1:9', VESTIBULE_PUBLIC_KEY: 'public', VESTIBULE_SECRET_KEY: 'secret', VESTIBULE_FORUMS: 'news',
        VESTIBULE_PUBLIC_URL: 'https://www.example.com/vestibule', VESTIBULE_COOKIE_SECRETS: COOKIE_SECRET, VESTIBULE_STORE: `sqlite:${path}`,
      },
    });
    assert.equal(status, 0, stderr);
    const profiles = stdout.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(profiles.toSorted((a, b) => Number(a['user_id']) - Number(b['user_id'])), [
      { user_id: '31007', username: 'Ada Quill', forum: 'news', answers: { age: 41 }, accepted_at: '2026-11-26T15:51:33.992Z', form_version },
      { user_id: '31018', username: 'Jörg Ünterwald', forum: 'news', answers: { age: 29 }, accepted_at: '2026-11-26T15:51:34.325Z', form_version },
    ]);
  });
});
