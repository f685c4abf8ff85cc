/** A reader who uses the keyboard alone, on the pages of the demonstration. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { frames } from '../lib/frames.ts';
import { suiteResource } from '../lib/suite-resource.ts';
import { temporaryDirectory } from '../lib/temporary-directory.ts';
import { until } from '../lib/until.ts';
import { allowButton, ARTICLE, finishButton, isPosted, openSignIn, startStage, textField } from './_stage.ts';

/** More than there are on a page. */
const MOST_STOPS = 120;

/** Text spacing of WCAG 2.2, 1.4.12. */
const SPACING = '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-block-end: 2em !important }';

describe('the keyboard', () => {
  const stage = suiteResource(() => startStage());

  it('takes a new reader from the text to the comment that is posted in at most 12 presses, the answers included', async () => {
    await using visitor = await stage().reader();
    const { page, box } = visitor;
    let presses = 0;
    const press = async (on: Page, ...keys: readonly string[]): Promise<void> => {
      for (const key of keys) {
        presses += 1;
        await on.keyboard.press(key);
      }
    };
    const tabTo = async (on: Page, control: Locator): Promise<void> => {
      do await press(on, 'Tab'); while (!await hasFocus(control) && presses < MOST_STOPS);
    };
    await visitor.open();
    await page.keyboard.type('By keyboard.');
    const popup = await openSignIn(visitor, () => press(page, 'Control+Enter'));
    await allowButton(popup).waitFor();
    await tabTo(popup, allowButton(popup));
    await press(popup, 'Enter');
    const heading = popup.getByRole('heading', { name: 'Before you comment' });
    await until('the focus on the form', () => hasFocus(heading));
    await tabTo(popup, popup.getByLabel(/Your age/));
    await press(popup, '3', '4');
    await tabTo(popup, popup.getByLabel(/house rules/));
    await press(popup, 'Space');
    const closed = popup.waitForEvent('close');
    await finishButton(popup).waitFor();
    await press(popup, 'Enter').catch((error: unknown) => closed.catch(() => { throw error; }));
    await closed;
    await page.evaluate(() => {
      document.hasFocus = () => true;
      window.dispatchEvent(new FocusEvent('focus'));
    });
    await isPosted(visitor, 'By keyboard.');
    await box.getByText('Your comment is posted.').waitFor();
    await until('the focus on the field', () => hasFocus(textField(box)));
    assert.ok(presses <= 12, `${presses} presses`);
  });

  for (const [what, viewport, css, isOpen] of [
    ['at 400 %', { width: 320, height: 256 }, '', false],
    ['on a phone, with wide text spacing', { width: 320, height: 640 }, SPACING, false],
    ['on a phone, with the list of requests open', { width: 320, height: 640 }, '', true],
    ['on a desktop', { width: 1280, height: 720 }, '', false],
  ] as const) {
    it(`meets no control that a bar of the page hides (WCAG 2.4.11): ${what}`, async () => {
      await using directory = await temporaryDirectory();
      await using seeded = await startStage({}, { directory: directory.path });
      await using visitor = await seeded.reader({ viewport });
      const { page, box } = visitor;
      await page.goto(seeded.demo.url + ARTICLE);
      await box.scrollIntoViewIfNeeded();
      await box.getByRole('button', { name: 'Reply' }).first().waitFor();
      await page.evaluate(([css, isOpen]) => {
        document.querySelector<HTMLDetailsElement>('.trace')!.open = isOpen;
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(css);
        const style = (root: Document | ShadowRoot): void => {
          root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
          for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) style(shadowRoot);
        };
        style(document);
        scrollTo(0, 0);
      }, [css, isOpen] as const);
      const hidden: string[] = [];
      let stops = 0;
      for (let name = await nextStop(page); name !== 'end' && stops < MOST_STOPS; name = await nextStop(page)) {
        stops += 1;
        if (name) hidden.push(name);
      }
      assert.ok(stops > 40 && stops < MOST_STOPS, `${stops} stops`);
      assert.deepEqual(hidden, []);
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(scrollWidth <= viewport.width, `${scrollWidth} pixels wide`);
    });
  }
});

/** Also in a shadow root. */
function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((element) => (element.getRootNode() as Document | ShadowRoot).activeElement === element);
}

/** Presses Tab.
 *  @returns the control with the focus if nothing of it is seen, `''` if something is, and `end` after the last one */
async function nextStop(page: Page): Promise<string> {
  await page.keyboard.press('Tab');
  await frames(page, 1);
  return page.evaluate(() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
    if (!focused || focused === document.body) return 'end';
    const { left, top, width, height } = focused.getBoundingClientRect();
    const isSeen = [[0.5, 0.5], [0.1, 0.2], [0.9, 0.2], [0.1, 0.8], [0.9, 0.8]].some(([x, y]) => {
      const point = [left + width * x!, top + height * y!] as const;
      let hit = document.elementFromPoint(...point);
      for (let within = hit?.shadowRoot; within; within = hit?.shadowRoot) {
        const inner = within.elementFromPoint(...point);
        if (!inner || inner === hit) break;
        hit = inner;
      }
      return hit && (focused.contains(hit) || hit.contains(focused));
    });
    return isSeen ? '' : `${focused.localName} “${(focused.textContent || focused.id).trim().slice(0, 40)}” at ${Math.round(top)}`;
  });
}
