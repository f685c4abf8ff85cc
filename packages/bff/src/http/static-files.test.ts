import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { staticFiles } from './static-files.ts';
import { serve } from './_serve.ts';

const directory = mkdtempSync(join(tmpdir(), 'vestibule-static-'));
after(() => { rmSync(directory, { recursive: true }); });
const SCRIPT = 'export const word = "widget";\n'.repeat(20);
mkdirSync(join(directory, 'site', 'assets'), { recursive: true });
for (const name of ['widget.js', 'widget-1.2.3-1a2b3c4d.js', 'assets/form-1a2b3c.js']) {
  writeFileSync(join(directory, 'site', name), SCRIPT);
  writeFileSync(join(directory, 'site', `${name}.br`), brotliCompressSync(SCRIPT));
  writeFileSync(join(directory, 'site', `${name}.gz`), gzipSync(SCRIPT));
}
writeFileSync(join(directory, 'site', 'sri.json'), '{}');
writeFileSync(join(directory, 'canary.txt'), 'canary');

const serveFiles = () => serve(staticFiles(join(directory, 'site')), (_req, res) => { res.status(404).send('nothing'); });

describe('staticFiles', () => {
  it('serves the widget and its assets as they are, brotli or gzip as the requester takes it', async () => {
    await using served = await serveFiles();
    for (const path of ['/widget.js', '/widget-1.2.3-1a2b3c4d.js', '/assets/form-1a2b3c.js']) {
      for (const [accepted, encoding] of [['br', 'br'], ['gzip', 'gzip'], ['gzip, br', 'br'], ['identity', undefined]] as const) {
        const { status, headers } = await fetchRaw(served.port, path, accepted);
        assert.equal(status, 200);
        assert.equal(headers.get('content-encoding') ?? undefined, encoding, `${path} ${accepted}`);
        assert.match(headers.get('content-type') ?? '', /^text\/javascript/);
        assert.match(headers.get('vary') ?? '', /accept-encoding/i);
      }
      assert.equal((await served.request.get(path).buffer(true)).text, SCRIPT);
    }
  });

  it('lets what is named after its content be kept for ever and widget.js for a while', async () => {
    await using served = await serveFiles();
    for (const path of ['/assets/form-1a2b3c.js', '/widget-1.2.3-1a2b3c4d.js']) {
      assert.equal((await served.request.get(path)).headers['cache-control'], 'public, max-age=31536000, immutable');
    }
    assert.equal((await served.request.get('/widget.js')).headers['cache-control'], 'public, max-age=300, must-revalidate');
  });

  it('lets every page load them, as what they are', async () => {
    await using served = await serveFiles();
    const { headers } = await served.request.get('/widget.js').set('Origin', 'https://blog.example');
    assert.deepEqual(
      [headers['access-control-allow-origin'], headers['cross-origin-resource-policy'], headers['x-content-type-options']],
      ['*', 'cross-origin', 'nosniff'],
    );
    assert.equal(headers['access-control-allow-credentials'], undefined);
  });

  it('answers 304 to who has them already', async () => {
    await using served = await serveFiles();
    const { headers } = await served.request.get('/widget.js');
    assert.equal((await served.request.get('/widget.js').set('If-None-Match', headers['etag'] as string)).status, 304);
  });

  it('serves nothing else, and nothing from outside', async () => {
    await using served = await serveFiles();
    for (const path of [
      '/', '/sri.json', '/assets', '/assets/', '/assets/nothing.js', '/assets/../sri.json', '/assets/..%2f..%2fcanary.txt', '/assets/%2e%2e/%2e%2e/canary.txt',
      '/assets/..%5c..%5ccanary.txt', '/widget-/../../canary.txt', '/widget-1.2.3-1a2b3c4d.js.br', '/widget-nothing.js', '/assets/%00', '/assets/%E0%A4%A',
    ]) {
      const { status, text } = await fetchRaw(served.port, path, 'identity');
      assert.equal(status, 404, path);
      assert.equal(text, 'nothing', path);
    }
  });

  it('leaves other methods to others', async () => {
    await using served = await serveFiles();
    assert.equal((await served.request.head('/widget.js')).status, 200);
    assert.equal((await served.request.post('/widget.js')).status, 404);
  });
});

/** A path sent as it is, which URL parsers would tidy. */
function fetchRaw(port: number, path: string, encoding: string): Promise<{ status: number; headers: Headers; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; headers: Headers; text: string }>();
  get({ host: '127.0.0.1', port, path, headers: { 'Accept-Encoding': encoding } }, (res) => {
    const chunks: Buffer[] = [];
    res.on('data', (chunk: Buffer) => chunks.push(chunk));
    res.on('end', () => {
      const headers = new Headers(res.headers as Record<string, string>);
      resolve({ status: res.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString() });
    });
  }).on('error', reject);
  return promise;
}
