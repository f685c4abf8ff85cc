import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { PostCreated, SyncOutcome } from '@vestibule/shared';
import { freePort } from '../lib/free-port.ts';
import { expectProblem, expectStatus, ReaderClient } from '../lib/reader.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { runCommand } from '../lib/vestibule-process.ts';
import { startDemo, type Demo } from './demo.ts';
import type { Trace } from './trace.ts';

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
    assert.match(page, /<li data-post-id="\d+"><p><b><bdi>Ada Quill[^]*Before &#60;b&#62;the[^]*<li data-post-id[^]*Harbour Courier/);
    assert.match(page, /<script type="module" src="\/vestibule\/widget\.js"><\/script>\n<div lang="en"><vestibule-comments forum="news" show-posts/);
    expectStatus(await post(reader, second, 'After the restart'), 201);
  });

  it('keeps its keys, and shows the posts of its articles, at another port than before', async () => {
    await using directory = await temporaryDirectory();
    const shown = async (port: number) => {
      await using demo = await startDemo({ port, directory: directory.path });
      const { posts } = await demo.vestibule.listPosts({ page: demo.url + ARTICLE });
      return { ids: posts.map(({ id }) => id), keys: [demo.service.publicKey, demo.service.secretKey] };
    };
    const before = await shown(await freePort());
    assert.ok(before.ids.length > 3);
    assert.deepEqual(await shown(await freePort()), before);
  });

  it('leads a reader back to the article as it was shown, and nowhere else', async () => {
    await using demo = await startDemo({ port: 0 });
    const back = async (cookie: string) =>
      (await fetch(`${demo.url}/back`, { redirect: 'manual', headers: { Cookie: cookie } })).headers.get('Location');
    const cookie = (await fetch(`${demo.url}${ARTICLE}?theme=dark&sync=other`)).headers.get('Set-Cookie')?.split(';')[0] ?? '';
    assert.equal(await back(`other=1; ${cookie}`), `${ARTICLE}?theme=dark#comments`);
    for (const other of ['//evil.example', 'lamplighter//evil.example', '']) assert.equal(await back(`courier-last-read=${other}`), '/');
  });

  it('has switches of the service, the BFF and the article, which only its own pages can press', async () => {
    await using directory = await temporaryDirectory();
    await using demo = await startDemo({ port: 0, directory: directory.path });
    const press = async (set: string, origin = demo.url) => {
      const body = new URLSearchParams({ set, back: `${ARTICLE}?lang=de` });
      const res = await fetch(`${demo.url}/demonstration`, { method: 'POST', redirect: 'manual', body, headers: { Origin: origin } });
      return [res.status, res.headers.get('Location')];
    };
    const pageHas = async (text: string) => (await (await fetch(demo.url + ARTICLE)).text()).includes(text);
    const reader = readerOf(demo);
    await reader.signIn(undefined, { age: 40, rules: true });
    assert.deepEqual(await press('service=down', 'https://evil.example'), [403, null]);
    assert.deepEqual(await press('service=down'), [303, `${ARTICLE}?lang=de#comments`]);
    expectProblem(await post(reader, demo, 'unplugged'), 'service-unavailable');
    await press('service=running');
    await press('approval=on');
    const { body } = await post(reader, demo, 'waits');
    assert.equal((body as PostCreated).listed?.state, 'pending');
    const isListed = async () => (await demo.vestibule.listPosts({ page: demo.url + ARTICLE })).posts.some(({ message }) => message === 'waits');
    assert.equal(await isListed(), false);
    await press('approve=all');
    assert.equal(await isListed(), true);
    await press('comments=closed');
    assert.equal(await pageHas(' closed="">'), true);
    expectProblem(await post(reader, demo, 'too late'), 'post-rejected');
    await press('variant=embedded');
    assert.match((await reader.authorize('forum=news')).headers['location'] ?? '', /\/embedded\/entrance\?/);
  });

  it('lists the requests of the last sign-in, post and edit, with the signed text of the post and without codes, tokens and keys', async () => {
    await using demo = await startDemo({ port: 0 });
    const reader = readerOf(demo);
    const syncReturn = reader.issueReturn();
    await reader.receive(syncReturn);
    await reader.start(syncReturn);
    const { completion_url } = (await reader.validate({ age: 40, rules: true })).body as SyncOutcome;
    await fetch(completion_url);
    expectStatus(await post(reader, demo, 'Signed'), 201);
    const { id } = demo.service.posts[0]!;
    const change = { forum: 'news', page: demo.url + ARTICLE, message: 'Changed' };
    expectStatus(await reader.patch(`/posts/${id}`, change), 200);
    const text = await (await fetch(`${demo.url}/demonstration/trace`)).text();
    const stories = JSON.parse(text) as Trace['stories'];
    assert.deepEqual(stories.map(({ title, steps }) => [title, ...steps.map(({ way, status }) => `${way} ${status}`)]), [
      ['Edit, delete, like', 'Browser → server 200', 'server → service 200'],
      ['Post', 'Browser → server 201', 'server → service 200'],
      [
        'Sign-in', 'Browser → server 200', 'Browser → server 201', 'Browser → server 200', 'server → service 200', 'Browser → service 200',
      ],
    ]);
    assert.match(stories[1]!.steps[1]!.text, /\n\d+\.\d+:[\w-]+\\n\nPOST\\n\n\/api\/3\.0\/posts\/create\.json\\n\n127\.0\.0\.1\\n/);
    const token = new URL(completion_url).searchParams.get('access_token')!;
    const { publicKey, secretKey } = demo.service;
    for (const secret of [token, publicKey, secretKey, syncReturn.code, reader.cookie('vestibule')!]) assert.equal(text.includes(secret), false);
  });

  it('as a process prints the address to open and settings for other BFFs, at the given port of the service, and ends at SIGTERM', async () => {
    await using directory = await temporaryDirectory();
    const servicePort = await freePort();
    const child = spawn(process.execPath, ['--conditions=@vestibule/source', fileURLToPath(new URL('main.ts', import.meta.url))], {
      env: {
        PORT: '0', DEMO_DIRECTORY: directory.path, DEMO_SERVICE_PORT: String(servicePort),
        DEMO_PUBLIC_URL: 'http://localhost:8090/vestibule, http://news.localhost:8090/vestibule', DEMO_FORUMS: 'news,courier',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let url: string | undefined;
    const settings: [string, string][] = [];
    const others: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      url ??= /^ +(http:\/\/localhost:\d+\/articles\/\S+)$/.exec(line)?.[1];
      if (settings.some(([name]) => name === 'VESTIBULE_THREADS') && line.startsWith('  export ')) others.push(line.trim());
      else if (line.startsWith('  export ')) settings.push(...line.trim().split(' ').slice(1).map((pair) => pair.split('=') as [string, string]));
      if (line.includes('Ctrl+C')) break;
    }
    const { status, headers } = await fetch(url ?? '');
    assert.equal(status, 200);
    assert.deepEqual(others, ['export VESTIBULE_PUBLIC_URL=http://news.localhost:8090/vestibule PORT=8091']);
    assert.match(headers.get('Content-Security-Policy') ?? '', /^default-src 'none'; .*require-trusted-types-for 'script'$/);
    const env = Object.fromEntries(settings);
    assert.deepEqual([env['VESTIBULE_SERVICE_URL'], env['VESTIBULE_FORUMS']], [`http://127.0.0.1:${servicePort}`, 'news,courier']);
    // Keys of the directory, as a script uses them that does not read the output.
    const { VESTIBULE_PUBLIC_KEY: _key, VESTIBULE_SECRET_KEY: _secret, ...rest } = env;
    const keys = {
      VESTIBULE_PUBLIC_KEY_FILE: join(directory.path, 'public-key'), VESTIBULE_SECRET_KEY_FILE: join(directory.path, 'secret-key'),
    };
    for (const changes of [env, { ...rest, ...keys, VESTIBULE_PUBLIC_URL: 'http://news.localhost:8090/vestibule' }]) {
      const store = { VESTIBULE_STORE: `sqlite:${directory.path}/store.db` };
      const { status: checked, stdout } = await runCommand({ args: ['check'], env: { ...store, ...changes } });
      assert.equal(checked, 0, stdout);
    }
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});
