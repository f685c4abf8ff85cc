import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { builtWidget, readAssets, readFirstStage, readWidgetFile, readWithImports, weigh, type WidgetFile } from './_widget-files.ts';
import { readSizeBudget } from './widget-size.ts';

async function allFiles(): Promise<readonly WidgetFile[]> {
  return [...await readFirstStage(), await readWidgetFile(await versionedName()), ...(await readAssets()).values()];
}

async function versionedName(): Promise<string> {
  const [name, ...others] = (await readdir(builtWidget)).filter((file) => /^widget-.+\.js$/.test(file));
  assert.deepEqual(others, []);
  return name!;
}

describe('the built widget', () => {
  it('has its first stage in the one file that the script tag names', async () => {
    assert.deepEqual((await readFirstStage()).map(({ path }) => path), ['widget.js']);
  });

  it('lets a reader type within its budget', async () => {
    const { first } = await readSizeBudget();
    const files = await readFirstStage();
    const { brotli } = weigh(files);
    assert.ok(brotli <= first, `${files.map(({ path }) => path).join(' + ')}: ${brotli} bytes, and ${first} are allowed`);
  });

  it('keeps each later chunk within its own', async () => {
    const { assets } = await readSizeBudget();
    const sizes = [...await readAssets()].map(([name, file]) => [name, weigh([file]).brotli] as const);
    assert.deepEqual(sizes.filter(([name, size]) => !(size <= (assets[name] ?? 0))), [], 'over their budget, or without one');
  });

  it('holds nothing in its first stage that only a later one needs', async () => {
    const code = (await readFirstStage()).map((file) => file.code).join('\n');
    for (const later of ['audiencesync/complete', 'Idempotency-Key', 'Sign out', 'BroadcastChannel', 'Finish signing in']) {
      assert.ok(!code.includes(later), later);
    }
  });

  it('preloads nothing, and no chunk imports the file of the script tag, which has several addresses', async () => {
    for (const { path, code } of await allFiles()) {
      assert.doesNotMatch(code, /modulepreload|\.\.\/widget|\.\/widget/, path);
    }
  });

  it('shares its first stage with later chunks of the same build', async () => {
    const keyOf = (code: string): string | undefined => /Symbol\.for\(`(vestibule-\w{8})`\)/.exec(code)?.[1];
    const [first] = await readFirstStage();
    const key = keyOf(first!.code);
    assert.ok(key);
    const keys = [...await readAssets()].flatMap(([name, { code }]) => (keyOf(code) ? [[name, keyOf(code)]] : []));
    assert.deepEqual(keys, [['first-stage', key]]);
  });

  it('needs nothing of its first stage, which may be what failed, for the fallback and its hints', async () => {
    const assets = await readAssets();
    for (const name of ['load-fallback', 'negotiation', 'integration-hints']) {
      const paths = (await readWithImports(assets.get(name)!.path)).map(({ path }) => path);
      assert.deepEqual(paths.filter((path) => path.startsWith('assets/first-stage-')), [], name);
    }
  });

  it('holds no eval, no style attribute and no source map', async () => {
    for (const { path, code } of await allFiles()) {
      assert.doesNotMatch(code, /\beval\(|new Function\(|\bstyle="|style=\$\{|sourceMappingURL/, path);
    }
  });

  it('lies beside its compressed forms', async () => {
    for (const { path, code } of await allFiles()) {
      assert.equal(brotliDecompressSync(await readFile(join(builtWidget, `${path}.br`))).toString(), code, path);
      assert.equal(gunzipSync(await readFile(join(builtWidget, `${path}.gz`))).toString(), code, path);
    }
  });

  it('publishes the integrity of each script', async () => {
    const published = JSON.parse(await readFile(join(builtWidget, 'sri.json'), 'utf8')) as Record<string, string>;
    const files = await allFiles();
    const expected = files.map(({ path, code }) => [path, `sha384-${createHash('sha384').update(code).digest('base64')}`]);
    assert.deepEqual(published, Object.fromEntries(expected));
  });

  it('lies a second time under a name that changes with its content', async () => {
    const { version } = JSON.parse(await readFile(join(builtWidget, '../../package.json'), 'utf8')) as { version: string };
    const { code } = await readWidgetFile('widget.js');
    const hash = createHash('sha256').update(code).digest('hex').slice(0, 8);
    assert.equal((await readWidgetFile(`widget-${version}-${hash}.js`)).code, code);
  });
});
