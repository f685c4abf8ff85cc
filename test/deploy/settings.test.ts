/** Variables in the examples of deployments and in the documentation are settings. */

import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startBff } from '../lib/bff.ts';
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
