import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { postForm, REDIRECT_URI } from './_client.ts';
import { paths } from './paths.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const settings = { SERVICE_PUBLIC_KEY: 'key', SERVICE_SECRET_KEY: 'secret', SERVICE_REDIRECT_URIS: REDIRECT_URI };

describe('the emulated service as a process', () => {
  it('says where it listens, signs readers in, and ends at SIGTERM', async () => {
    const child = spawn(process.execPath, [main], { env: { ...settings, SERVICE_READERS: '1000' }, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(child.stdout), 'line') as [string];
    const { url, publicKey } = JSON.parse(line) as Record<string, string>;
    assert.equal(publicKey, 'key');
    assert.doesNotMatch(line, /secret/);
    const { headers } = await postForm(url + paths.entrance, {
      client_id: 'key', forum_id: 'news', redirect_uri: REDIRECT_URI, reader: '1000', decision: 'accept',
    });
    assert.equal(new URL(headers.get('Location') ?? '').searchParams.get('username'), 'Reader 1000');
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  it('answers with the faults of its environment', async () => {
    const faults = JSON.stringify({ token: [{ probability: 1, fault: { kind: 'status', status: 502 } }] });
    const child = spawn(process.execPath, [main], { env: { ...settings, SERVICE_FAULTS: faults }, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(child.stdout), 'line') as [string];
    assert.equal((await postForm((JSON.parse(line) as { url: string }).url + paths.token, '')).status, 502);
    child.kill('SIGINT');
    await once(child, 'exit');
  });

  it('does not start without its keys', async () => {
    const child = spawn(process.execPath, [main], { env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
    const [line] = await once(createInterface(child.stderr), 'line') as [string];
    assert.equal(line, 'SERVICE_PUBLIC_KEY is not set');
    assert.equal((await once(child, 'exit'))[0], 78);
  });
});
