/** The packed widget in pages that a server renders: Next.js and Astro, each with the package and with the script tag. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import express from 'express';
import { endProcess } from '../lib/end-process.ts';
import { freePort } from '../lib/free-port.ts';
import { frames } from '../lib/frames.ts';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';
import { nodeEnvironment } from '../lib/vestibule-process.ts';
import { startDemo } from '../site/demo.ts';
import { createProject, run } from './_packed.ts';

/** Sites of this folder, with the command of each framework. */
const SITES = { next: 'next/dist/bin/next', astro: 'astro/bin/astro.mjs' } as const;

interface Site extends AsyncDisposable {
  readonly origin: string;
  /** What its server has written. */
  output(): string;
}

interface Visit {
  /** Of the server. */
  readonly html: string;
  /** Scores of layout shifts. */
  readonly shifts: readonly number[];
  /** Errors and warnings in the console, and exceptions. */
  readonly complaints: readonly string[];
}

describe('a page that a server renders', () => {
  const project = suiteResource(async () => {
    const created = await createProject(['next@16', 'react@19', 'react-dom@19', 'astro@6']);
    for (const name of Object.keys(SITES)) {
      await cp(join(import.meta.dirname, `${name}-site`), join(created.directory, `${name}-site`), { recursive: true });
    }
    return created;
  });
  const astro = express.Router().use('/astro', (req, res, next) => express.static(join(project().directory, 'astro-site/dist'))(req, res, next));
  const demo = suiteResource(() => startDemo({ port: 0, vestibule: { logLevel: 'silent' }, before: astro }));

  const commandOf = (site: keyof typeof SITES) => join(project().directory, 'node_modules', SITES[site]);
  const optionsOf = (site: keyof typeof SITES) => ({
    cwd: join(project().directory, `${site}-site`),
    env: { ...nodeEnvironment(), BFF_ORIGIN: demo().url, NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' },
  });
  const build = (site: keyof typeof SITES) => run(process.execPath, [commandOf(site), 'build'], optionsOf(site))
    .catch((error: { stdout: string; stderr: string }) => assert.fail(error.stdout + error.stderr));

  it('of Next.js, built: has the markup, throws nothing, and does not shift when it is hydrated', async () => {
    await build('next');
    await using site = await startNext('start');
    for (const path of ['component', 'plain']) {
      const { html, shifts, complaints } = await visit(`${site.origin}/${path}`);
      hasMarkup(html);
      assert.deepEqual({ shifts, complaints }, { shifts: [], complaints: [] }, path);
    }
    assert.doesNotMatch(site.output(), /error|⨯/i);
  });

  it('of Next.js in development: React finds no difference to hydrate', async () => {
    await using site = await startNext('dev');
    for (const path of ['component', 'plain']) {
      const { html, complaints } = await visit(`${site.origin}/${path}`);
      hasMarkup(html);
      assert.deepEqual(complaints, [], path);
    }
    assert.doesNotMatch(site.output(), /error|⨯/i);
  });

  it('of Astro, built: has the markup, throws nothing, and does not shift', async () => {
    await build('astro');
    for (const path of ['component', 'plain']) {
      const { html, shifts, complaints } = await visit(`${demo().url}/astro/${path}/`);
      hasMarkup(html);
      assert.deepEqual({ shifts, complaints }, { shifts: [], complaints: [] }, path);
    }
  });

  function hasMarkup(html: string): void {
    const tag = /<vestibule-comments[^>]*>(?=<\/vestibule-comments>)/.exec(html)?.[0] ?? '';
    const attributes = ['forum="news"', 'page="https://www.example.com/articles/1"', 'heading-level="3"', 'placeholder="Speak"'];
    assert.deepEqual(attributes.filter((attribute) => !tag.includes(attribute)), [], html);
    assert.match(html, /<vestibule-count[^>]*>Comments<\/vestibule-count>/);
  }

  async function startNext(mode: 'start' | 'dev'): Promise<Site> {
    const port = await freePort();
    const child = spawn(process.execPath, [commandOf('next'), mode, '--hostname', '127.0.0.1', '--port', String(port)], optionsOf('next'));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => { output += chunk; });
    const origin = `http://127.0.0.1:${port}`;
    await until('a response of Next.js', () => fetch(`${origin}/plain`).then(({ ok }) => ok));
    return { origin, output: () => output, [Symbol.asyncDispose]: () => endProcess(child) };
  }

  /** Scripts run after the first paint, as on a slow network. */
  async function visit(url: string): Promise<Visit> {
    await using page = await (await sharedChromium({ holdsPaints: true })).newPage({ locale: 'en-GB', viewport: { width: 412, height: 800 } });
    const complaints: string[] = [];
    page.on('console', (message) => {
      // In development, Lit names its own build.
      const isOfLit = message.text().includes('https://lit.dev/msg/');
      if (['error', 'warning'].includes(message.type()) && !isOfLit) complaints.push(message.text());
    });
    page.on('pageerror', (error) => { complaints.push(String(error)); });
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { readonly value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.route('**/*.js*', async (route) => {
      await frames(page);
      await route.continue();
    });
    const response = await page.goto(url);
    assert.equal(response?.status(), 200);
    assert.equal(await page.getByRole('textbox', { name: 'Your comment' }).getAttribute('placeholder'), 'Speak');
    if (await page.locator('[data-hydrated]').count() > 0) await page.locator('[data-hydrated=true]').waitFor();
    await page.waitForLoadState('networkidle');
    await frames(page);
    const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts);
    return { html: await response.text(), shifts, complaints };
  }
});
