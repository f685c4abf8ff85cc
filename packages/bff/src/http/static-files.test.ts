import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs, { mkdir, open, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { temporaryDirectory, type TemporaryDirectory } from '../../../../test/lib/temporary-directory.ts';
import { StaticFiles, staticRouteLabel, widgetDirectory } from './static-files.ts';
import { serve, type Served } from './_serve.ts';

const SCRIPT = 'export const word = "widget";\n'.repeat(20);
const PINNED = 'widget-1.2.3-1a2b3c4d.js';
const CHUNK = 'assets/form-1a2b3c.js';

/** A built widget in `site`, and a file beside it that nobody may read. */
async function buildSite(names = ['widget.js', PINNED, CHUNK], script = SCRIPT): Promise<TemporaryDirectory & { site: string }> {
  const directory = await temporaryDirectory();
  const site = join(directory.path, 'site');
  await mkdir(join(site, 'assets'), { recursive: true });
  for (const name of names) {
    await writeFile(join(site, name), script);
    await writeFile(join(site, `${name}.br`), brotliCompressSync(script));
    await writeFile(join(site, `${name}.gz`), gzipSync(script));
  }
  await writeFile(join(site, 'sri.json'), '{}');
  await writeFile(join(directory.path, 'canary.txt'), 'canary');
  return { ...directory, site };
}

async function serveFiles(directory: string, archive?: string, maxArchiveBytes?: number): Promise<Served> {
  const { handler } = await StaticFiles.read({ directory, archive, ...(maxArchiveBytes !== undefined && { maxArchiveBytes }) });
  return serve(handler, (_req, res) => { res.status(404).send('nothing'); });
}

describe('widgetDirectory', () => {
  it('is dist/widget of the package', () => {
    assert.equal(widgetDirectory(), join(import.meta.dirname, '../../dist/widget'));
  });
});

describe('staticRouteLabel', () => {
  for (const [path, label] of [
    ['/widget.js', '/widget.js'], [`/${PINNED}`, '/widget-*.js'], [`/${CHUNK}`, '/assets/*'], ['/assets/', '/assets/*'],
    ['/', undefined], ['/widget.js.br', undefined], [`/x/${PINNED}`, undefined], [`/x/${CHUNK}`, undefined],
  ] as const) {
    it(`labels ${path} with ${label ?? 'nothing'}`, () => { assert.equal(staticRouteLabel(path), label); });
  }
});

describe('StaticFiles', () => {
  it('serves the widget and its chunks, with brotli or gzip as accepted', async () => {
    await using build = await buildSite();
    await using served = await serveFiles(build.site);
    for (const path of ['/widget.js', `/${PINNED}`, `/${CHUNK}`]) {
      for (const [accepted, encoding, body] of [
        ['br', 'br', brotliCompressSync(SCRIPT)], ['gzip', 'gzip', gzipSync(SCRIPT)], ['gzip, br', 'br', brotliCompressSync(SCRIPT)],
        ['br;q=0, *', 'gzip', gzipSync(SCRIPT)], ['identity', undefined, SCRIPT], [undefined, undefined, SCRIPT],
      ] as const) {
        const { status, headers, bytes } = await fetchRaw(served.port, path, accepted && { 'Accept-Encoding': accepted });
        assert.equal(status, 200);
        assert.equal(headers.get('content-encoding') ?? undefined, encoding, `${path} ${accepted}`);
        assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
        assert.equal(headers.get('vary'), 'Accept-Encoding');
        assert.deepEqual(bytes, Buffer.from(body));
        assert.equal(headers.get('content-length'), String(bytes.length));
      }
    }
  });

  it('serves a file as it is to a client that refuses every encoding', async () => {
    await using build = await buildSite();
    await using served = await serveFiles(build.site);
    const { status, bytes } = await fetchRaw(served.port, '/widget.js', { 'Accept-Encoding': '*;q=0' });
    assert.deepEqual([status, bytes.toString()], [200, SCRIPT]);
  });

  it('caches files named after their content for a year, and widget.js for five minutes', async () => {
    await using build = await buildSite();
    await using served = await serveFiles(build.site);
    for (const path of [`/${CHUNK}`, `/${PINNED}`]) {
      assert.equal((await served.request.get(path)).headers['cache-control'], 'public, max-age=31536000, immutable');
    }
    assert.equal((await served.request.get('/widget.js')).headers['cache-control'], 'public, max-age=300, must-revalidate');
  });

  it('lets every page load them', async () => {
    await using build = await buildSite();
    await using served = await serveFiles(build.site);
    const { headers } = await served.request.get('/widget.js').set('Origin', 'https://blog.example');
    assert.deepEqual(
      [headers['access-control-allow-origin'], headers['cross-origin-resource-policy'], headers['x-content-type-options']],
      ['*', 'cross-origin', 'nosniff'],
    );
    assert.equal(headers['access-control-allow-credentials'], undefined);
  });

  it('answers 304 for a current strong ETag, which differs by encoding', async () => {
    await using build = await buildSite();
    await using served = await serveFiles(build.site);
    const etags = new Set<string>();
    for (const encoding of ['br', 'gzip', 'identity']) {
      const etag = (await fetchRaw(served.port, '/widget.js', { 'Accept-Encoding': encoding })).headers.get('etag') ?? '';
      assert.match(etag, /^"[\w-]{27}"$/);
      etags.add(etag);
      for (const [condition, status] of [[etag, 304], [`W/${etag}`, 304], [`"x", ${etag}`, 304], ['*', 304], ['"x"', 200], ['', 200]] as const) {
        const conditional = await fetchRaw(served.port, '/widget.js', { 'Accept-Encoding': encoding, 'If-None-Match': condition });
        assert.equal(conditional.status, status, condition);
        assert.equal(conditional.headers.get('etag'), etag);
        if (status === 304) assert.deepEqual([conditional.bytes.length, conditional.headers.get('vary')], [0, 'Accept-Encoding']);
      }
    }
    assert.equal(etags.size, 3);
  });

  it('ignores Range, valid or not', async () => {
    await using build = await buildSite();
    await using served = await serveFiles(build.site);
    for (const range of ['bytes=0-3', 'bytes=5-2', 'bytes=9-1', 'bytes=-5', 'bytes=999999-', 'bytes=0-0,5-6', 'nonsense', 'bytes=', 'bytes=0-99999999999999999999']) {
      const { status, headers, bytes } = await fetchRaw(served.port, '/widget.js', { Range: range, 'If-Range': '"x"' });
      assert.deepEqual([status, bytes.toString(), headers.get('accept-ranges')], [200, SCRIPT, 'none'], range);
    }
  });

  it('answers HEAD with the headers of GET', async () => {
    await using build = await buildSite();
    await using served = await serveFiles(build.site);
    const [head, read] = [
      await served.request.head('/widget.js').set('Accept-Encoding', 'br'), await served.request.get('/widget.js').set('Accept-Encoding', 'br'),
    ];
    assert.deepEqual([head.status, head.text], [200, undefined]);
    for (const name of ['content-length', 'etag', 'content-type', 'cache-control', 'content-encoding']) assert.equal(head.headers[name], read.headers[name]);
  });

  it('passes other methods and paths on', async () => {
    await using build = await buildSite();
    await using served = await serveFiles(build.site);
    assert.equal((await served.request.post('/widget.js')).status, 404);
    for (const path of [
      '/', '/sri.json', '/assets', '/assets/', '/assets/nothing.js', '/assets/../sri.json', '/assets/..%2f..%2fcanary.txt', '/assets/%2e%2e/%2e%2e/canary.txt',
      '/assets/..%5c..%5ccanary.txt', '/widget-/../../canary.txt', `/${PINNED}.br`, '/widget-nothing.js', '/assets/%00', '/assets/%E0%A4%A', '/widget%2ejs',
    ]) {
      const { status, bytes } = await fetchRaw(served.port, path);
      assert.deepEqual([status, bytes.toString()], [404, 'nothing'], path);
    }
  });

  it('serves the files as they were at start, even if they are replaced or deleted', async () => {
    await using build = await buildSite();
    await using served = await serveFiles(build.site);
    await writeFile(join(build.site, 'widget.js'), 'replaced');
    assert.equal((await fetchRaw(served.port, '/widget.js')).bytes.toString(), SCRIPT);
    await rm(build.site, { recursive: true });
    for (const path of ['/widget.js', `/${PINNED}`, `/${CHUNK}`]) assert.equal((await fetchRaw(served.port, path)).bytes.toString(), SCRIPT);
  });

  it('fails if the widget is not built', async () => {
    await using directory = await temporaryDirectory();
    await assert.rejects(StaticFiles.read({ directory: join(directory.path, 'missing') }), { code: 'ENOENT' });
  });
});

describe('StaticFiles with an archive', () => {
  const NEXT_PINNED = 'widget-1.3.0-5e6f7a8b.js';
  const NEXT_CHUNK = 'assets/form-5e6f7a.js';
  const buildNext = () => buildSite(['widget.js', NEXT_PINNED, NEXT_CHUNK], 'the next release');

  it('serves chunks and pinned scripts of the previous release', async () => {
    await using archive = await temporaryDirectory();
    await using build = await buildSite();
    await using next = await buildNext();
    await (await serveFiles(build.site, archive.path))[Symbol.asyncDispose]();
    await rm(build.site, { recursive: true });
    await using served = await serveFiles(next.site, archive.path);
    for (const path of [`/${PINNED}`, `/${CHUNK}`]) {
      const { headers, bytes } = await fetchRaw(served.port, path, { 'Accept-Encoding': 'br' });
      assert.deepEqual(bytes, brotliCompressSync(SCRIPT));
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    }
    for (const path of ['/widget.js', `/${NEXT_PINNED}`, `/${NEXT_CHUNK}`]) {
      assert.equal((await fetchRaw(served.port, path)).bytes.toString(), 'the next release');
    }
  });

  it('serves chunks of a release that started later', async () => {
    await using archive = await temporaryDirectory();
    await using build = await buildSite();
    await using next = await buildNext();
    await using served = await serveFiles(build.site, archive.path);
    await using _ = await serveFiles(next.site, archive.path);
    assert.equal((await fetchRaw(served.port, `/${NEXT_CHUNK}`)).bytes.toString(), 'the next release');
    assert.equal((await fetchRaw(served.port, '/widget.js')).bytes.toString(), SCRIPT);
  });

  it('serves a chunk that is archived at any moment while another client requests missing names', async () => {
    await using archive = await temporaryDirectory();
    await using build = await buildSite();
    await using served = await serveFiles(build.site, archive.path);
    let isOver = false;
    const attacks = Array.from({ length: 20 }, async (_, client) => {
      for (let i = 0; !isOver; i += 1) await fetchRaw(served.port, `/assets/missing-${client}-${i}.js`);
    });
    for (let release = 0; release < 10; release += 1) {
      await fetchRaw(served.port, `/assets/missing-before-${release}.js`);
      const chunk = `assets/form-${release}.js`;
      // As a release does: a file under its name is complete.
      await writeFile(join(archive.path, 'new'), 'a later release');
      await rename(join(archive.path, 'new'), join(archive.path, chunk));
      const beganAt = performance.now();
      assert.equal((await fetchRaw(served.port, `/${chunk}`)).bytes.toString(), 'a later release');
      assert.ok(performance.now() - beganAt < 2_000);
    }
    isOver = true;
    await Promise.all(attacks);
  });

  it('keeps at most the given number of bytes in memory, the newest files at start', async () => {
    await using archive = await temporaryDirectory();
    await using build = await buildSite();
    await mkdir(join(archive.path, 'assets'));
    const chunks = Array.from({ length: 4 }, (_, i) => `assets/chunk-${i}.js`);
    for (const [i, chunk] of chunks.entries()) {
      await writeFile(join(archive.path, chunk), Buffer.alloc(1_000));
      await utimes(join(archive.path, chunk), i, i);
    }
    await using served = await serveFiles(build.site, archive.path, 4_000);
    const statuses = async () => Promise.all(chunks.map(async (chunk) => (await fetchRaw(served.port, `/${chunk}`)).status));
    await rm(archive.path, { recursive: true });
    assert.deepEqual(await statuses(), [404, 404, 200, 200]);
    await mkdir(join(archive.path, 'assets'), { recursive: true });
    for (const chunk of chunks) await writeFile(join(archive.path, chunk), Buffer.alloc(1_500));
    assert.deepEqual((await statuses()).toSorted(), [200, 200, 200, 404]);
  });

  it('answers 404 after 3 s if the archive does not respond, and serves other files meanwhile', async (t) => {
    await using archive = await temporaryDirectory();
    await using build = await buildSite();
    await using served = await serveFiles(build.site, archive.path);
    const pipe = join(archive.path, 'assets/form-9f8e7d.js');
    await promisify(execFile)('mkfifo', [pipe]);
    const delays = shortenTimers(t, 10);
    try {
      const missing = fetchRaw(served.port, '/assets/missing.js');
      assert.equal((await fetchRaw(served.port, '/widget.js')).status, 200);
      assert.equal((await missing).status, 404);
      assert.deepEqual(delays, [3_000, 100]);
    } finally {
      // Reading a named pipe blocks until another process has opened it for writing. No later read finds it.
      const writer = await open(pipe, 'r+');
      await rm(pipe);
      await writer.close();
    }
  });

  it('is read for unknown chunks and pinned scripts only', async (t) => {
    await using archive = await temporaryDirectory();
    await using build = await buildSite();
    await using served = await serveFiles(build.site, archive.path);
    await using withoutArchive = await serveFiles(build.site);
    const delays = shortenTimers(t, 10);
    for (const [{ port }, method, path, status, isRead] of [
      [served, 'GET', '/assets/unknown.js', 404, true],
      [served, 'HEAD', '/assets/unknown.js', 404, true],
      [served, 'GET', '/widget-unknown.js', 404, true],
      [served, 'GET', `/${CHUNK}`, 200, false],
      [served, 'GET', '/widget.js', 200, false],
      [served, 'GET', '/unknown', 404, false],
      [served, 'GET', '/x/assets/unknown.js', 404, false],
      [served, 'GET', '/assets/unknown.json', 404, false],
      [served, 'GET', '/x/widget-unknown.js', 404, false],
      [served, 'POST', '/assets/unknown.js', 404, false],
      [withoutArchive, 'GET', '/assets/unknown.js', 404, false],
    ] as const) {
      const fetched = await fetchRaw(port, path, {}, method);
      assert.deepEqual([fetched.status, delays.splice(0)], [status, isRead ? [3_000, 100] : []], `${method} ${path}`);
    }
  });

  it('gets the pinned scripts and the chunks with their compressed forms', async () => {
    await using archive = await temporaryDirectory();
    await using build = await buildSite();
    await StaticFiles.read({ directory: build.site, archive: archive.path });
    const files = [CHUNK, PINNED].flatMap((name) => [name, `${name}.br`, `${name}.gz`]);
    assert.deepEqual((await readdir(archive.path, { recursive: true })).sort(), ['assets', ...files]);
  });

  it('keeps the files that it has', async () => {
    await using archive = await temporaryDirectory();
    await using build = await buildSite();
    await mkdir(join(archive.path, 'assets'));
    await writeFile(join(archive.path, CHUNK), 'archived before');
    await StaticFiles.read({ directory: build.site, archive: archive.path });
    assert.equal(await readFile(join(archive.path, CHUNK), 'utf8'), 'archived before');
    assert.equal(await readFile(join(archive.path, PINNED), 'utf8'), SCRIPT);
  });

  it('holds no incomplete file after a copy that failed', async (t) => {
    await using archive = await temporaryDirectory();
    await using build = await buildSite();
    const { mock } = t.mock.method(fs, 'rename', () => Promise.reject(new Error('no space left on device')));
    syncBuiltinESMExports();
    try {
      await assert.rejects(StaticFiles.read({ directory: build.site, archive: archive.path }), { name: 'ConfigError' });
    } finally {
      mock.restore();
      syncBuiltinESMExports();
    }
    assert.equal(mock.callCount(), 1);
    assert.deepEqual(await readdir(archive.path, { recursive: true }), ['assets']);
  });

  it('keeps serving its files if the archive is emptied', async () => {
    await using archive = await temporaryDirectory();
    await using build = await buildSite();
    await using next = await buildNext();
    await (await serveFiles(build.site, archive.path))[Symbol.asyncDispose]();
    await using served = await serveFiles(next.site, archive.path);
    for (const name of await readdir(archive.path)) await rm(join(archive.path, name), { recursive: true });
    assert.equal((await fetchRaw(served.port, `/${CHUNK}`)).bytes.toString(), SCRIPT);
    assert.equal((await fetchRaw(served.port, '/assets/unknown-1a2b3c.js')).status, 404);
  });

  it('is shared by processes that start at the same time', async () => {
    await using archive = await temporaryDirectory();
    await using build = await buildSite();
    await Promise.all(Array.from({ length: 4 }, () => StaticFiles.read({ directory: build.site, archive: archive.path })));
    assert.deepEqual((await readdir(join(archive.path, 'assets'))).sort(), ['form-1a2b3c.js', 'form-1a2b3c.js.br', 'form-1a2b3c.js.gz']);
  });

  it('is refused if it cannot be written', async () => {
    await using build = await buildSite();
    const archive = join(build.path, 'canary.txt');
    await assert.rejects(StaticFiles.read({ directory: build.site, archive }), { name: 'ConfigError', message: /VESTIBULE_WIDGET_ARCHIVE/ });
  });
});

/** Divides the duration of each timer of the test. @returns the durations as requested, in ms */
function shortenTimers(t: TestContext, divisor: number): number[] {
  const { setTimeout } = globalThis;
  const delays: number[] = [];
  t.mock.method(globalThis, 'setTimeout', (callback: () => void, ms: number) => {
    delays.push(ms);
    return setTimeout(callback, ms / divisor);
  });
  return delays;
}

interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Sends the path as it is; URL parsers would normalize it. */
function fetchRaw(port: number, path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Fetched> {
  const { promise, resolve, reject } = Promise.withResolvers<Fetched>();
  request({ host: '127.0.0.1', port, path, headers, method }, (res) => {
    const chunks: Buffer[] = [];
    res.on('data', (chunk: Buffer) => chunks.push(chunk));
    res.on('end', () => {
      const received = new Headers(res.headers as Record<string, string>);
      resolve({ status: res.statusCode ?? 0, headers: received, bytes: Buffer.concat(chunks) });
    });
  }).on('error', reject).end();
  return promise;
}
