import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { createPost, exchange, obtainToken, postForm, request, startService } from './_client.ts';
import { paths } from './paths.ts';

describe('startEmulatedService', () => {
  it('makes its keys afresh', async () => {
    await using one = await startService();
    await using other = await startService();
    assert.match(one.secretKey, /^[\da-f]{32}$/);
    assert.notEqual(one.secretKey, other.secretKey);
    assert.notEqual(one.publicKey, other.publicKey);
  });

  it('sends its own clock as Date with every answer, and judges nonces by it', async () => {
    await using service = await startService();
    const accessToken = await obtainToken(service);
    service.clockOffsetMs = 4_000_000;
    for (const path of [paths.posts, paths.token, paths.authorize, paths.complete, paths.entrance, paths.stylesheet, '/nothing']) {
      const ahead = Date.parse((await request(service.url + path)).headers.get('Date') ?? '') - Date.now();
      assert.ok(Math.abs(ahead - 4_000_000) < 5_000, path);
    }
    assert.equal((await createPost(service, { accessToken })).json['response'], 'nonce is expired');
    assert.equal((await createPost(service, { accessToken, timestamp: String(Date.now() / 1000 + 4000) })).status, 200);
  });

  it('answers below the path of its base URL, and nowhere else', async () => {
    await using service = await startService({ basePath: '/comments' });
    assert.ok(service.url.endsWith('/comments'));
    assert.equal((await request(service.url + paths.stylesheet)).status, 200);
    assert.equal((await request(new URL(paths.stylesheet, service.url).href)).status, 404);
  });

  it('signs by its public URL where a proxy stands before it', async () => {
    await using service = await startService({ publicUrl: 'https://comments.example/x' });
    assert.equal(service.url, 'https://comments.example/x');
  });

  it('keeps every request as it arrived, the refused ones too', async () => {
    await using service = await startService();
    await postForm(`${service.url}${paths.token}?a=1`, 'x=%zz', { 'X-Probe': 'ü'.normalize('NFD').replace(/[^ -~]/g, '') });
    await request(`${service.url}/nothing`);
    assert.deepEqual(service.requests.map(({ endpoint, method, path, body }) => [endpoint, method, path, body.toString()]), [
      ['token', 'POST', `${paths.token}?a=1`, 'x=%zz'],
      [undefined, 'GET', '/nothing', ''],
    ]);
    assert.deepEqual(service.requests[0]?.headers['x-probe'], ['u']);
  });

  it('keeps none if configured so', async () => {
    await using service = await startService({ recordRequests: false });
    await exchange(service);
    assert.deepEqual(service.requests, []);
  });

  it('resolves waiters when the next request is carried out', async () => {
    await using service = await startService();
    const accessToken = await obtainToken(service);
    const received = service.whenReceived('posts').then(() => service.posts.length);
    await createPost(service, { accessToken });
    assert.equal(await received, 1);
  });

  it('goes down and comes back on the same port, with all that it knows', async () => {
    await using service = await startService();
    const accessToken = await obtainToken(service);
    await service.down();
    await assert.rejects(createPost(service, { accessToken }), (error: Error) => (error.cause as NodeJS.ErrnoException).code === 'ECONNREFUSED');
    await service.up();
    assert.equal((await createPost(service, { accessToken })).status, 200);
  });

  it('keeps posts and access tokens over a restart in its state file', async () => {
    await using directory = await temporaryDirectory();
    const options = { publicKey: 'public', secretKey: 'secret', stateFile: join(directory.path, 'service.json') };
    let accessToken: string;
    {
      await using service = await startService(options);
      accessToken = await obtainToken(service);
      await createPost(service, { accessToken });
    }
    await using service = await startService(options);
    assert.equal((await createPost(service, { accessToken, params: [['forum', 'news'], ['message', 'Again']] })).status, 200);
    assert.deepEqual(service.posts.map(({ message }) => message), ['Hello', 'Again']);
  });

  it('refuses a body over its limit, another host, and what is no HTTP', async () => {
    await using service = await startService();
    assert.equal((await postForm(service.url + paths.posts, `forum=${'a'.repeat(1024 * 1024)}`)).status, 413);

    const { port } = new URL(service.url);
    assert.match(await exchangeBytes(port, 'GET /audiencesync/complete/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 421 /);
    assert.match(await exchangeBytes(port, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400 [^]*Date: /);
  });

  it('issues no return to a redirect URI that is not registered', async () => {
    await using service = await startService();
    assert.throws(() => service.issueReturn({ redirectUri: 'https://evil.example/' }), /not registered/);
  });
});

async function exchangeBytes(port: string, bytes: string): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}
