/** Renews the pictures of the READMEs in `docs/pictures/`: `node --conditions=@vestibule/source test/gallery/pictures.ts`.
 *  Build the widget first; review each picture before you commit it. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { allow, openSignIn, signIn, startStage, write, type Stage, type Visitor } from '../e2e/_stage.ts';
import { launchChromium } from '../lib/chromium.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { shrinkPng } from './_png.ts';
import { reachStates } from './_visit.ts';
import { startGallery } from './gallery.ts';
import { hosts } from './hosts/index.ts';

const directory = resolve(import.meta.dirname, '../../docs/pictures');

const TEXT = 'I lived on Net Lane for thirty years. The old lamps hummed, and when they stopped I could not sleep for a week.';

const phone = { viewport: { width: 390, height: 720 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true } as const;

await mkdir(directory, { recursive: true });
await takeDemo();
await takeThread();
await takeHosts();

/** The box and the form in the demonstration. */
async function takeDemo(): Promise<void> {
  await using stage = await startStage();
  for (const colorScheme of ['light', 'dark'] as const) {
    await takeBox(stage, `box-${colorScheme}`, { colorScheme, viewport: { width: 960, height: 680 } });
  }
  await takeBox(stage, 'box-phone', phone);
  await takeForm(stage);
}

async function takeBox(stage: Stage, name: string, options: BrowserContextOptions): Promise<void> {
  await using visitor = await stage.reader({ reducedMotion: 'reduce', ...options });
  await visitor.open();
  await signIn(visitor);
  await visitor.page.reload();
  await visitor.box.getByText(/Commenting as/).waitFor();
  await write(visitor, TEXT);
  await showBox(visitor);
  await save(name, visitor.page);
}

/** The box with the comments below it. */
async function takeThread(): Promise<void> {
  await using kept = await temporaryDirectory();
  await using stage = await startStage({}, { directory: kept.path });
  await using visitor = await stage.reader({ reducedMotion: 'reduce', viewport: { width: 760, height: 900 } });
  await visitor.open();
  await visitor.box.getByText('Keep her.').waitFor();
  await signIn(visitor);
  await write(visitor, TEXT);
  await showBox(visitor);
  await save('box-thread', visitor.page);
}

/** The end of the article above it. */
async function showBox({ page, box }: Visitor): Promise<void> {
  await box.evaluate((element) => {
    element.shadowRoot?.querySelector('textarea')?.blur();
    const { bottom } = element.getBoundingClientRect();
    scrollBy({ top: bottom - innerHeight + 36, behavior: 'instant' });
  });
  await page.evaluate(() => new Promise(requestAnimationFrame));
}

async function takeForm(stage: Stage): Promise<void> {
  await using visitor = await stage.reader({ deviceScaleFactor: 2, reducedMotion: 'reduce' });
  await visitor.open();
  const form = await openSignIn(visitor);
  await allow(form);
  await form.getByLabel(/Your age/).waitFor();
  const height = await form.evaluate(() => document.documentElement.scrollHeight);
  await form.setViewportSize({ width: 480, height: Math.min(height, 900) });
  await save('form', form);
}

async function takeHosts(): Promise<void> {
  await using gallery = await startGallery();
  const browser = await launchChromium();
  for (const { name } of hosts) {
    await using page = await browser.newPage({ locale: 'en-GB', reducedMotion: 'reduce', viewport: { width: 820, height: 720 } });
    await page.goto(`${gallery.url}/hosts/${name}`);
    await reachStates(page);
    const height = await page.evaluate(() => Math.ceil(document.querySelector('.comments')!.getBoundingClientRect().bottom + 32));
    await page.setViewportSize({ width: 820, height });
    await save(`host-${name}`, page);
  }
  await browser.close();
}

async function save(name: string, page: Page): Promise<void> {
  const png = shrinkPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  await writeFile(join(directory, `${name}.png`), png);
  console.log(`${name}.png: ${(png.length / 1024).toFixed(0)} kB`);
}
