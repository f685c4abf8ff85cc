/** Variables in the examples of deployments and in the documentation are settings. */

import assert from 'node:assert/strict';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadSites } from '../../packages/bff/src/config/sites.ts';
import { startBff } from '../lib/bff.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { runCommand } from '../lib/vestibule-process.ts';

const root = join(import.meta.dirname, '../..');

describe('a variable that a deployment or a page of the documentation names', () => {
  it('is a setting', async () => {
    const names = new Set<string>();
    for await (const file of glob(['packages/bff/deploy/*', 'packages/bff/Dockerfile', 'docs/*.md', 'README.md', 'packages/*/README.md'], { cwd: root })) {
      for (const [name] of (await readFile(join(root, file), 'utf8')).matchAll(/\bVESTIBULE_[A-Z_]*[A-Z]\b(?!\*)/g)) names.add(name);
    }
    assert.ok(names.size > 20);
    const { stdout } = await runCommand({ args: ['check'], env: {
      ...Object.fromEntries([...names].map((name) => [name, ''])),
      VESTIBULE_SERVICE_URL: 'http://127.0.0.1:1', VESTIBULE_PUBLIC_KEY: 'public', VESTIBULE_SECRET_KEY: 'secret', VESTIBULE_FORUMS: 'news',
      VESTIBULE_PUBLIC_URL: 'https://www.example.com', VESTIBULE_COOKIE_SECRETS: 'a-cookie-secret-of-at-least-32-bytes', VESTIBULE_STORE: 'memory:',
    } });
    assert.match(stdout, /^ok +settings/m);
    assert.doesNotMatch(stdout, /is not a setting/);
  });
});

describe('the example of three sites', () => {
  it('is a configuration, one site at a time', async () => {
    await using directory = await temporaryDirectory();
    const text = await readFile(join(root, 'packages/bff/deploy/sites.config.mjs'), 'utf8');
    const key = join(directory.path, 'chronicle-key');
    const config = join(directory.path, 'sites.config.mjs');
    await writeFile(key, 'secret');
    await writeFile(config, text.replace('/run/secrets/chronicle-key', key));
    const sites = await loadSites({
      VESTIBULE_SERVICE_URL: 'http://127.0.0.1:1', VESTIBULE_PUBLIC_KEY: 'public', VESTIBULE_SECRET_KEY: 'secret',
      VESTIBULE_COOKIE_SECRETS: 'a-cookie-secret-of-at-least-32-bytes', VESTIBULE_CONFIG: config,
    });
    assert.deepEqual(sites.map(({ siteHost, siteKey, validation }) => [siteHost, siteKey, validation.fields.length]), [
      ['www.courier.example', '', 1], ['www.gazette.example', 'www.gazette.example', 1], ['comments.chronicle.example', 'comments.chronicle.example', 0],
    ]);
  });
});

describe('a metric that an alert or the dashboard names', () => {
  it('exists', async () => {
    await using bff = await startBff();
    const metrics = await bff.vestibule.metrics();
    const names = new Set<string>();
    for await (const file of glob('packages/bff/deploy/*', { cwd: root })) {
      for (const [name] of (await readFile(join(root, file), 'utf8')).matchAll(/\bvestibule_[a-z_]+_(?:total|open|seconds)\b/g)) names.add(name);
    }
    assert.ok(names.size > 2);
    assert.deepEqual([...names].filter((name) => !metrics.includes(`# TYPE ${name} `)), []);
  });
});
