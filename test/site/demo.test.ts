import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../lib/free-port.ts';
import { expectStatus, ReaderClient } from '../lib/reader.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { startDemo, type Demo } from './demo.ts';

const ARTICLE = '/articles/lamplighter';

function readerOf({ url, service }: Demo): ReaderClient {
  return new ReaderClient({ server: url, path: '/vestibule', origin: url, redirectUri: `${url}/vestibule/sync/return`, service });
}

function post(reader: ReaderClient, { url }: Demo, message: string) {
  return reader.post('/posts', { forum: 'news', message, page: url + ARTICLE }).set('Idempotency-Key', crypto.randomUUID());
}

describe('the demonstration', () => {
  it('keeps the session of a reader and the posts over a restart in its directory', async () => {
    await using directory = await temporaryDirectory();
    const options = { port: await freePort(), directory: directory.path };
    const first = await startDemo(options);
    const reader = readerOf(first);
    const { outcome, completion_url } = await reader.signIn(undefined, { age: 40, rules: true, reads: 'paper' });
    assert.equal(outcome, 'accepted');
    assert.match(await (await fetch(completion_url)).text(), new RegExp(`You’re in, Ada Quill[^]*href="${first.url}/back"`));
    expectStatus(await post(reader, first, 'Before <b>the</b> restart'), 201);
    await first[Symbol.asyncDispose]();

    await using second = await startDemo(options);
    const page = await (await fetch(`${second.url}${ARTICLE}?posts=server`)).text();
    assert.match(page, /<li data-post-id="\d+"><p><b><bdi>Ada Quill[^]*Before &#60;b&#62;the[^]*<li data-post-id[^]*Jörg Ünterwald/);
    assert.match(page, /<script type="module" src="\/vestibule\/widget\.js"><\/script>\n<vestibule-comments forum="news" show-posts>/);
    expectStatus(await post(reader, second, 'After the restart'), 201);
  });

  it('leads a reader back to the article that they were reading, and nowhere else', async () => {
    await using demo = await startDemo({ port: 0 });
    const back = async (cookie: string) =>
      (await fetch(`${demo.url}/back`, { redirect: 'manual', headers: { Cookie: cookie } })).headers.get('Location');
    const cookie = (await fetch(demo.url + ARTICLE)).headers.get('Set-Cookie')?.split(';')[0] ?? '';
    assert.deepEqual([await back(`other=1; ${cookie}`), await back('courier-last-read=//evil.example')], [ARTICLE, '/']);
  });

  it('as a process prints the address to open, and ends at SIGTERM', async () => {
    await using directory = await temporaryDirectory();
    const child = spawn(process.execPath, ['--conditions=@vestibule/source', fileURLToPath(new URL('main.ts', import.meta.url))], {
      env: { PORT: '0', DEMO_DIRECTORY: directory.path }, stdio: ['ignore', 'pipe', 'inherit'],
    });
    let url: string | undefined;
    for await (const line of createInterface(child.stdout)) {
      url ??= /runs at (http:\/\/localhost:\d+)\//.exec(line)?.[1];
      if (line.includes('Ctrl+C')) break;
    }
    const { status, headers } = await fetch(url + ARTICLE);
    assert.equal(status, 200);
    assert.match(headers.get('Content-Security-Policy') ?? '', /^default-src 'none'; .*require-trusted-types-for 'script'$/);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});
