/** Every state of both elements: axe, announcements, overflow, sizes of targets, visible focus (WCAG 2.2). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { suiteResource } from '../lib/suite-resource.ts';
import { until } from '../lib/until.ts';
import { COLORS, GalleryPage } from './_gallery-page.ts';
import { startGallery } from './gallery.ts';
import { states } from './states.ts';

/** Texts that stand until a response arrives. A fast response replaces them before they are announced, so each also has a state
 *  of its own in the gallery. */
const WAITS: readonly string[] = ['One moment…', 'Checking your answers…'];

/** Nothing happens, or the focus moves to the heading, to the panel that asks the reader, or to the one answer at fault; or the
 *  button that has the focus says it. */
const SILENT = [
  'untouched', 'signed-out', 'before-the-first-answer', 'signed-in', 'expected', 'window-blocked',
  'form-in-the-page', 'confirm-sign-out', 'a-name-that-is-long', 'closed', 'always-light', 'always-dark', 'questions', 'no-questions',
  'continue-and-post', 'answers-refused', 'access-denied', 'access-granted-before', 'signed-in-already', 'nothing-to-do',
];

const LONG_NAME = /Wolfeschlegelstein/;

/** Styles of a page that must not reach into the elements. */
const RESETS = `* { all: unset; display: revert } label { display: none !important }
  button, textarea { width: 3rem !important; height: 1rem !important; background: hotpink !important }`;

describe('the states of both elements, on one page', () => {
  const gallery = suiteResource(startGallery);
  const shown = suiteResource(() => GalleryPage.open(gallery().url));

  it('announce each text once, and at least one where something happens', async () => {
    const isWait = new Set(states.filter(({ shows }) => WAITS.includes(shows)).map(({ name }) => name));
    const isLoud = states.filter(({ name, query }) => query === undefined && !SILENT.includes(name)).map(({ name }) => name);
    // A wait is announced after a moment only, when its words have stood for that long.
    const announced = await until('an announcement in each state where something happens', async () => {
      const all = (await shown().announcements()).filter(([name, text]) => !WAITS.includes(text) || isWait.has(name));
      return isLoud.every((name) => all.some(([place]) => place === name)) && all;
    });
    const texts = announced.map((each) => each.join(': '));
    assert.deepEqual(texts.filter((each, at) => !WAITS.some((wait) => each.endsWith(wait)) && texts.indexOf(each) < at), []);
    assert.deepEqual(announced.filter(([name]) => SILENT.includes(name)), []);
  });

  it('have no violation that axe finds, in light, dark, and with a dark element in a light page', async () => {
    // The landmarks of one state have different names, those of two states the same.
    assert.deepEqual(await shown().axe(undefined, ['landmark-unique']), [], 'light');
    await shown().page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await shown().axe(COLORS), [], 'dark');
    await shown().page.emulateMedia({ colorScheme: 'light' });
    const setTheme = (theme: string) => shown().page.locator('[data-state] > *').evaluateAll((elements, value) => {
      for (const element of elements) element.setAttribute('theme', value);
    }, theme);
    await setTheme('dark');
    assert.deepEqual(await shown().axe(COLORS), [], 'theme="dark"');
    await setTheme('auto');
  });

  it('have no horizontal overflow at 320 pixels and no small target, also with forced colours, right to left, and in a page of resets', async () => {
    const { page } = shown();
    await page.setViewportSize({ width: 320, height: 640 });
    await shown().assertFits('320 pixels wide');
    await page.emulateMedia({ forcedColors: 'active' });
    await shown().assertFits('forced colours');
    await page.emulateMedia({ forcedColors: 'none' });
    await page.evaluate((css) => {
      document.adoptedStyleSheets = [new CSSStyleSheet()];
      document.adoptedStyleSheets[0]!.replaceSync(css);
    }, RESETS);
    const heights = await page.locator('textarea:visible').evaluateAll((fields) => fields.map(({ clientHeight }) => clientHeight));
    assert.ok(heights.every((height) => height >= 44), heights.join());
    await page.evaluate(() => { document.adoptedStyleSheets = []; });
    await page.evaluate(() => Object.assign(document.documentElement, { lang: 'ar', dir: 'rtl' }));
    await page.locator('vestibule-comments').getByLabel('تعليقك').last().waitFor();
    await shown().assertFits('right to left');
    await page.evaluate(() => Object.assign(document.documentElement, { lang: 'en', dir: 'ltr' }));
    await page.locator('vestibule-comments').getByLabel('Your comment').last().waitFor();
    assert.deepEqual(await shown().violations(), []);
  });

  for (const { title, media, backgrounds } of [
    { title: 'light', media: { colorScheme: 'light' }, backgrounds: ['#fff', '#000', '#808080'] },
    { title: 'dark', media: { colorScheme: 'dark' }, backgrounds: ['#000', '#808080'] },
    { title: 'forced colours', media: { colorScheme: 'dark', forcedColors: 'active' }, backgrounds: ['Canvas'] },
  ] as const) {
    it(`have a focus ring of 2 pixels with a contrast of 3:1: ${title}`, async () => {
      const { page } = shown();
      await page.setViewportSize({ width: 1024, height: 768 });
      await page.emulateMedia(media);
      // That of the composer has the accent, which shows on light and on dark pages.
      for (const background of backgrounds) {
        await page.evaluate((color) => document.body.style.setProperty('background', color, 'important'), background);
        for (const control of [
          '#signed-in .primary', '#window-blocked .secondary', '#missing-answers .primary', '#missing-answers input[aria-invalid=true]',
          '#questions select', ...background === '#808080' ? [] : ['#signed-in textarea'],
        ]) {
          const width = await shown().ringWidth(page.locator(control).first());
          assert.ok(width >= 2, `${background}, ${control}: ${width} pixels`);
        }
      }
      await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
    });
  }
});

describe('the states with the text spacing of a reader', () => {
  const gallery = suiteResource(startGallery);

  for (const [lang, dir, label] of [['de', 'ltr', 'Ihr Kommentar'], ['ar', 'rtl', 'تعليقك']] as const) {
    it(`cut no text but a long name, and let none cover another: ${lang}`, async () => {
      await using shown = await GalleryPage.open(gallery().url);
      const { page } = shown;
      await page.evaluate((attributes) => Object.assign(document.documentElement, attributes), { lang, dir });
      await page.locator('vestibule-comments').getByLabel(label).last().waitFor();
      for (const isSpaced of [false, true]) {
        if (isSpaced) await shown.setTextSpacing();
        for (const width of [320, 390, 700, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          const look = `${width} pixels${isSpaced ? ', spaced' : ''}`;
          await shown.assertFits(look);
          await shown.assertReadable(look, LONG_NAME);
        }
      }
    });
  }
});

describe('a state that depends on the address of its page', () => {
  const gallery = suiteResource(startGallery);

  for (const { name, query } of states.filter((state) => state.query !== undefined)) {
    it(`has no violation that axe finds, and fits 320 pixels: ${name}`, async () => {
      await using shown = await GalleryPage.open(`${gallery().url}/states/${name}${query}`);
      assert.deepEqual(await shown.axe(), []);
      await shown.page.setViewportSize({ width: 320, height: 640 });
      await shown.assertFits('320 pixels wide');
      assert.deepEqual(await shown.violations(), []);
    });
  }
});
