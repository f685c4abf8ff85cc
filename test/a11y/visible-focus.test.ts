/** Visible focus and invalid fields, measured in screenshots (WCAG 2.2: 1.4.11, 2.4.7, 2.4.13). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { decodePng } from './_png.ts';
import { reachStates } from './_visit.ts';
import { startGallery } from './gallery.ts';

/** Pixels around the control in a screenshot. The ring is at most 6 px wide. */
const MARGIN = 10;
const LEAST_CONTRAST = 3;
/** Minimal width of the contrasting ring, in CSS pixels. */
const LEAST_WIDTH = 2;

const backgrounds = ['#fff', '#000', '#808080', '#2b59c3'] as const;
const looks = [
  { title: 'light', media: { colorScheme: 'light', forcedColors: 'none' } },
  { title: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' } },
  { title: 'forced colours', media: { colorScheme: 'dark', forcedColors: 'active' } },
] as const;

type Rgb = readonly [red: number, green: number, blue: number];

describe('the focus ring', () => {
  const gallery = suiteResource(startGallery);

  for (const { title, media } of looks) {
    it(`of buttons and of valid and invalid fields has a contrast of at least 3:1 on any background: ${title}`, async () => {
      await using page = await (await sharedChromium()).newPage({ locale: 'en-GB', reducedMotion: 'reduce' });
      await page.emulateMedia(media);
      for (const state of ['empty', 'missing-answers']) {
        await page.goto(`${gallery().url}/states/${state}`);
        await reachStates(page);
        for (const background of media.forcedColors === 'active' ? ['Canvas'] : backgrounds) {
          await page.evaluate((color) => document.body.style.setProperty('background', color, 'important'), background);
          for (const control of await controlsOf(page)) {
            const width = await contrastingWidth(page, control);
            const name = await control.evaluate((element) => element.textContent || element.id);
            assert.ok(width >= LEAST_WIDTH, `${state}, ${background}, ${name}: ${width} px contrast`);
          }
        }
      }
    });
  }
});

describe('an invalid field in forced colours', () => {
  const gallery = suiteResource(startGallery);

  for (const [state, selector] of [['empty', 'textarea'], ['missing-answers', 'input[aria-invalid=true]']] as const) {
    it(`has a border that is wider than that of a valid field: ${state}`, async () => {
      await using page = await (await sharedChromium()).newPage({ locale: 'en-GB', reducedMotion: 'reduce' });
      await page.emulateMedia({ forcedColors: 'active' });
      await page.goto(`${gallery().url}/states/${state}`);
      await reachStates(page);
      const field = page.locator('[data-reached]').locator(selector).first();
      await field.evaluate((element: HTMLElement) => element.blur());
      const invalid = await borderWidth(page, field);
      await field.evaluate((element) => element.ariaInvalid = 'false');
      assert.deepEqual([invalid, await borderWidth(page, field)], [3, 1]);
    });
  }
});

describe('the text field', () => {
  const gallery = suiteResource(startGallery);

  it('is at most 70 % of the dynamic viewport high', async () => {
    await using page = await (await sharedChromium()).newPage({ locale: 'en-GB', viewport: { width: 400, height: 500 } });
    await page.goto(`${gallery().url}/states/signed-out`);
    await reachStates(page);
    const field = page.locator('[data-reached] textarea');
    await field.fill('line\n'.repeat(100));
    const heightOf = async (): Promise<number> => (await field.boundingBox())!.height;
    assert.equal(await heightOf(), 350);
    await page.setViewportSize({ width: 400, height: 300 });
    assert.equal(await heightOf(), 210);
    const rule = await field.evaluate((element) => (element.getRootNode() as ShadowRoot).adoptedStyleSheets
      .flatMap((sheet) => [...sheet.cssRules]).find(({ cssText }) => cssText.includes('max-block-size: 70'))?.cssText);
    assert.match(rule ?? '', /70dvh/);
  });
});

/** The main button, another button, and the first field, which is invalid in both states; of the form also a valid field. */
async function controlsOf(page: Page): Promise<readonly Locator[]> {
  const element = page.locator('[data-reached]');
  const kinds = ['button.primary', 'button:not(.primary):visible', '.field[aria-invalid=true]', '.field[aria-invalid=false]'];
  const found = await Promise.all(kinds.map((kind) => element.locator(kind).all()));
  return found.flatMap((controls) => controls.slice(0, 1));
}

/** Width of the part of the ring, left of the control, that contrasts with the background and was not there without the focus. */
async function contrastingWidth(page: Page, control: Locator): Promise<number> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await control.scrollIntoViewIfNeeded();
  const without = await lineLeftOf(page, control);
  await page.keyboard.press('Shift');
  await control.focus();
  const focused = await lineLeftOf(page, control);
  return focused.filter((color, at) => (
    contrast(color, without[at]!) >= LEAST_CONTRAST && contrast(color, focused[0]!) >= LEAST_CONTRAST
  )).length;
}

/** Colours of the pixels left of the control at half its height, the outermost first. */
async function lineLeftOf(page: Page, control: Locator): Promise<readonly Rgb[]> {
  const { x, y, height } = (await control.boundingBox())!;
  return readPixels(page, { x: Math.round(x) - MARGIN, y: Math.round(y + height / 2), width: MARGIN, height: 1 });
}

/** Pixels of the field's left border in its own colour, from outside inwards. */
async function borderWidth(page: Page, field: Locator): Promise<number> {
  await field.scrollIntoViewIfNeeded();
  const { x, y, height } = (await field.boundingBox())!;
  const [first, ...others] = await readPixels(page, { x: Math.round(x), y: Math.round(y + height / 2), width: 8, height: 1 });
  const end = others.findIndex((color) => contrast(color, first!) > 1.5);
  return end + 1;
}

/** The uppermost line of a part of the page. */
async function readPixels(page: Page, clip: { x: number; y: number; width: number; height: number }): Promise<readonly Rgb[]> {
  const { width, channels, pixels } = decodePng(await page.screenshot({ clip, caret: 'hide' }));
  return Array.from({ length: width }, (_, x) => [...pixels.subarray(x * channels, x * channels + 3)] as unknown as Rgb);
}

/** Contrast ratio of WCAG 2. */
function contrast(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
