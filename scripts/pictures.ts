/** `npm run pictures`: takes the pictures of the documentation anew, from the demonstration and from three pages of other
 *  looks. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { launchChromium } from '../test/lib/chromium.ts';
import { startDemo } from '../test/site/demo.ts';

const ARTICLE = '/articles/lamplighter';
const TEXT = 'I lived on Net Lane for thirty years. You could hear her come: the pole, the hook, and then the small soft sound of the flame.';

const pictureOf = (name: string): string => new URL(`../docs/pictures/${name}.png`, import.meta.url).pathname;

/** Pages of other looks, each with what its reader writes. */
const hosts = {
  'host-newspaper': {
    user: 'Ada Quill', lang: 'en', text: 'My father steered the night boat until it was sold. He would have liked to read this.',
    style: `body { margin: 0; background: #fdfdfa; color: #1c1b18; font: 1.125rem/1.6 Georgia, "Liberation Serif", serif }
header { border-bottom: 3px double; text-align: center; font: 700 2.75rem/2.1 Georgia, "Liberation Serif", serif }
main { max-width: 36rem; margin: 2rem auto }
h1 { font-size: 2.5rem; line-height: 1.1; margin: 0 0 1rem }
vestibule-comments { --vestibule-accent: #981b1e; --vestibule-radius: 0; display: block; margin-top: 2.5rem; padding-top: 1.5rem; border-top: 1px solid }`,
    page: `<header>The Morning Ledger</header><main><h1>The ferry will run at night again</h1>
<p>For the first time in eleven years the last boat will not leave at nine. The council voted on Tuesday to pay for two crossings after midnight, and the ferrymen have agreed to work them.</p>`,
  },
  'host-dark-blog': {
    user: 'tessellate', lang: 'en', text: 'We did the same with seed packets. Two passes were enough once we stopped arguing about hyphens.',
    style: `:root { color-scheme: dark }
body { margin: 0; background: #0d1117; color: #c9d1d9; font: 1rem/1.65 ui-monospace, "DejaVu Sans Mono", monospace }
main { max-width: 44rem; margin: 2.5rem auto } header, h1 { color: #7ee787 } h1 { color: #f0f6fc; font-size: 1.6rem }
vestibule-comments { --vestibule-accent: #7ee787; --vestibule-on-accent: #0d1117; display: block; margin-top: 2.5rem }`,
    page: `<main><header>null island</header><h1>Sorting a million names without a computer</h1>
<p>The library at Ostrow kept its index on cards until last spring. When they moved, somebody dropped a drawer, and then, trying to help, somebody else dropped the cabinet.</p>`,
  },
  'host-right-to-left': {
    user: 'ليلى', lang: 'ar', text: 'كان جدّي يوقدها قبل أربعين سنة. شكرًا لأنكم كتبتم عنه.',
    style: `body { margin: 0; background: #fffbf2; color: #241f1a; font: 1.125rem/1.9 system-ui, "DejaVu Sans", sans-serif }
header { background: #5b2a86; color: #fff; font-size: 1.5rem; font-weight: 700; padding: 1rem 6.6rem } main { max-width: 38rem; margin: 2rem auto }
h1 { font-size: 2rem; line-height: 1.3; margin: 0 0 1rem }
vestibule-comments { --vestibule-accent: #5b2a86; --vestibule-radius: 0.75em; display: block; margin-top: 2rem; padding-top: 1.5rem }`,
    page: `<header>دفاتر المرفأ</header><main><h1>من يوقد المصابيح هذا الشتاء؟</h1>
<p>ظلّت مصابيح الرصيف مطفأة ثلاثة أعوام. في الأسبوع الماضي عاد الضوء إلى المصباح الأول، ثم إلى الثاني، ولم يعرف أحد في البداية من الذي يصعد السلّم كل مساء.</p>`,
  },
} as const;

const directory = await mkdtemp(join(tmpdir(), 'vestibule-pictures-'));
const browser = await launchChromium();
const demo = await startDemo({ port: 0, directory, vestibule: { rateLimits: 'off', logLevel: 'silent' } });
try {
  for (const [name, options] of [['box-light', { colorScheme: 'light' }], ['box-dark', { colorScheme: 'dark' }]] as const) {
    await ofArticle(name, { viewport: { width: 760, height: 900 }, ...options }, 205);
  }
  for (const [name, options] of [['box-thread', { colorScheme: 'light' }], ['box-thread-dark', { colorScheme: 'dark' }]] as const) {
    await ofArticle(name, { viewport: { width: 760, height: 900 }, ...options }, 760);
  }
  await ofArticle('box-phone', { viewport: { width: 390, height: 844 }, hasTouch: true }, 720);
  for (const name of Object.keys(hosts) as (keyof typeof hosts)[]) await ofHost(name);
} finally {
  await demo[Symbol.asyncDispose]();
  await browser.close();
  await rm(directory, { recursive: true });
}

async function open(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', deviceScaleFactor: 2, reducedMotion: 'reduce', bypassCSP: true, ...options });
  return context.newPage();
}

/** A new reader of the demonstration signs in and writes. @param height of the picture, in CSS pixels, from the box on */
async function ofArticle(name: string, options: BrowserContextOptions, height: number): Promise<void> {
  const page = await open(options);
  await page.goto(demo.url + ARTICLE);
  const box = page.locator('vestibule-comments');
  const [popup] = await Promise.all([page.waitForEvent('popup'), box.getByRole('button', { name: 'Sign in to comment' }).click()]);
  await popup.setViewportSize({ width: 480, height: 720 });
  await popup.getByText('Ada Quill').click();
  await popup.getByRole('button', { name: /^(?:Allow|Sign in)$/ }).click();
  await popup.getByLabel(/Your age/).fill('34');
  await popup.getByLabel(/house rules/).check();
  if (name === 'box-light') {
    await popup.getByLabel(/house rules/).blur();
    await popup.screenshot({ path: pictureOf('form'), fullPage: true, animations: 'disabled' });
  }
  await popup.getByRole('button', { name: 'Finish signing in' }).click().catch(() => undefined); // the window closes
  const account = box.getByRole('button', { name: 'Commenting as Ada Quill' });
  await account.waitFor();
  await page.reload();
  await account.waitFor();
  await box.getByRole('textbox', { name: 'Your comment', exact: true }).fill(TEXT);
  await box.getByText('Reply').first().waitFor();
  await shoot(page, box, name, height);
}

/** A page of another look, at an address of the demonstration, with a reader whose session is made up. */
async function ofHost(name: keyof typeof hosts): Promise<void> {
  const { user, lang, text, style, page: content } = hosts[name];
  const page = await open({ viewport: { width: 820, height: 760 }, deviceScaleFactor: 1 });
  await page.route('**/articles/host', (route) => route.fulfill({
    contentType: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}"><title>${name}</title><style>${style}</style>${content}
<script type="module" src="/vestibule/widget.js"></script><vestibule-comments forum="news"></vestibule-comments></main></html>`,
  }));
  await page.route('**/vestibule/session*', (route) => route.fulfill({
    json: { state: 'signed-in', user: { user_id: '1', username: user }, limits: { message_max_length: 10_000 } },
  }));
  await page.goto(`${demo.url}/articles/host`);
  const box = page.locator('vestibule-comments');
  await box.locator('textarea').fill(text);
  await box.getByText(user).first().waitFor();
  await box.locator('textarea').blur();
  const { y, height } = (await box.boundingBox())!;
  await page.screenshot({ path: pictureOf(name), animations: 'disabled', clip: { x: 0, y: 0, width: 820, height: y + height + 40 } });
  await page.context().close();
}

/** From the heading of the box on, with a margin. */
async function shoot(page: Page, box: Locator, name: string, height: number): Promise<void> {
  await page.addStyleTag({ content: '.demonstration, .try { display: none !important }' });
  await page.setViewportSize({ width: page.viewportSize()!.width, height: 2_000 });
  await box.getByRole('textbox', { name: 'Your comment', exact: true }).blur();
  const { x, y, width } = (await box.boundingBox())!;
  const margin = Math.min(x, 24);
  await page.screenshot({
    path: pictureOf(name), animations: 'disabled', fullPage: true,
    clip: { x: x - margin, y: y - 16 + await page.evaluate(() => scrollY), width: width + 2 * margin, height },
  });
  await page.context().close();
}
