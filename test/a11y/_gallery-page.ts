/** A page of the gallery in Chromium: waits for its states, and measures it. */

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { until } from '../lib/until.ts';

const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules that depend on colours. */
export const COLORS = ['color-contrast', 'link-in-text-block'];

interface Watched {
  readonly announced: ReadonlyMap<Element, readonly string[]>;
  readonly violations: readonly string[];
  readonly axe: typeof axe;
}

type Rgb = readonly [red: number, green: number, blue: number];

export class GalleryPage implements AsyncDisposable {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Resolves when every element has reached its state. */
  static async open(url: string): Promise<GalleryPage> {
    const page = await (await sharedChromium()).newPage({ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
    await page.addInitScript({ path: AXE });
    await page.addInitScript(watch);
    // Some elements load only in sight.
    await page.setViewportSize({ width: 1024, height: 30_000 });
    await page.goto(url);
    const unreached = () => page.locator('[data-state]:not([data-reached])').evaluateAll((places) => places.map(({ id }) => id));
    await until('every state', async () => (await unreached()).length === 0).catch(async (error: unknown) => {
      throw new Error(`Not reached: ${(await unreached()).join(', ')}`, { cause: error });
    });
    return new GalleryPage(page);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.page.close();
  }

  /** Violations of the page's policy. */
  violations(): Promise<readonly string[]> {
    return this.page.evaluate(() => (globalThis as unknown as Watched).violations);
  }

  /** Texts of live regions in their order, by state. */
  announcements(): Promise<readonly (readonly [state: string, text: string])[]> {
    return this.page.evaluate(() => [...(globalThis as unknown as Watched).announced].flatMap(([element, texts]) => {
      const root = element.getRootNode();
      const place = (root instanceof ShadowRoot ? root.host : element).closest('[data-state]');
      return place ? texts.map((text) => [place.id, text] as const) : [];
    }));
  }

  /** Violations that axe finds. @param only rules; default: all of WCAG 2.2 AA and the best practices, without `omitted` */
  async axe(only: readonly string[] = TAGS, omitted: readonly string[] = []): Promise<readonly string[]> {
    const { violations } = await this.page.evaluate(([runOnly, off]) => {
      const rules = Object.fromEntries(off.map((rule) => [rule, { enabled: false }]));
      return (globalThis as unknown as Watched).axe.run(document, { runOnly: [...runOnly], rules, resultTypes: ['violations'] });
    }, [only, omitted] as const);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`));
  }

  /** No horizontal overflow, and no control below 44 × 44 pixels; those of the composer, of rows and of editors have 36 in
   *  columns that are not narrow, where the pointer is a mouse. Links within text are exempt. */
  async assertFits(look: string): Promise<void> {
    const faults = await this.page.evaluate(() => {
      const controlsOf = (root: Document | ShadowRoot): Element[] => [...root.querySelectorAll('*')].flatMap((element) => [
        ...(element.matches('button, a[href]:not(.message a, .time, .reply-to a), input, select, textarea') ? [element] : []),
        ...(element.shadowRoot ? controlsOf(element.shadowRoot) : []),
      ]);
      const small = controlsOf(document).map((element) => {
        const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
        // The pseudo-element is the target.
        const { content, top, left } = getComputedStyle(element, '::after');
        const [x, y] = content === 'none' ? [0, 0] : [parseFloat(left), parseFloat(top)];
        return { element, width: width - 2 * x, height: height - 2 * y, shown: width };
      }).filter(({ element, width, height, shown }) => {
        const isRow = element.matches(':is(.acts, .entry, .editor-bar, .frame, .bar, .news) *') && innerWidth >= 480;
        return shown > 0 && Math.min(width, height) < (isRow ? 35.99 : 43.99);
      })
        .map(({ element, width, height }) => `${element.textContent?.trim() || element.id}: ${width} × ${height}`);
      const { scrollWidth, clientWidth } = document.documentElement;
      const wide = [...document.querySelectorAll('[data-state]')].filter((place) => place.scrollWidth > place.clientWidth).map(({ id }) => id);
      return [...small, ...wide, ...(scrollWidth > clientWidth ? [`${scrollWidth} pixels wide`] : [])];
    });
    assert.deepEqual(faults, [], look);
  }

  /** The text spacing that a reader may set (WCAG 1.4.12), in every shadow root. */
  async setTextSpacing(): Promise<void> {
    await this.page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
        p { margin-block-end: 2em !important }`);
      const space = (root: Document | ShadowRoot): void => {
        root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
        for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) space(shadowRoot);
      };
      space(document);
    });
  }

  /** No text is cut but a reason and a long comment, which have “Show more”, and none covers another. Where a question takes
   *  the place of the row, that is heard only. Beside status and counter a name may be cut,
   *  and only the number of the count is seen. On the smallest screen a status beside the main button is heard only.
   *  @param isCut names that are cut on purpose */
  async assertReadable(look: string, isCut: RegExp): Promise<void> {
    const faults = await this.page.evaluate((omitted) => {
      const isSeen = (element: Element): boolean => (
        element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
        && !element.closest([
          '.visually-hidden', '.asks .bar', '.line:has(#status:not(:empty), #silent, .counter) bdi', '.line:has(#status:not(:empty), #silent) .counter span',
          '.compact.rest #status', '.compact.rest #silent', '.skip:not(:focus)', '.status', '.say.cut', '.message.clamped', '.unseen', 'textarea', 'select',
        ].join()) && !omitted.test(element.textContent)
      );
      const within = (elements: readonly Element[]): string[] => (
        elements.flatMap(({ shadowRoot }) => shadowRoot ? faultsOf(shadowRoot) : [])
      );
      const faultsOf = (root: ShadowRoot): string[] => {
        const elements = [...root.querySelectorAll<HTMLElement>('*')].filter(isSeen);
        const cut = elements.filter((element) => {
          const { overflowX, overflowY } = getComputedStyle(element);
          return (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1)
            || (overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1);
        }).map(({ textContent }) => `cut: ${textContent}`);
        const texts = elements.flatMap(({ childNodes }) => [...childNodes]).filter((node) => node instanceof Text);
        const lines = texts.flatMap((text) => {
          const range = document.createRange();
          range.selectNodeContents(text);
          return [...range.getClientRects()].map((rect) => ({ text, rect }));
        });
        const covered = lines.flatMap((one, index) => lines.slice(index + 1).filter((other) => {
          const width = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
          const height = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
          return one.text !== other.text && width > 2 && height > 2;
        }).map((other) => `“${one.text.data}” meets “${other.text.data}”`));
        return [...cut, ...covered, ...within(elements)];
      };
      return [...document.querySelectorAll('[data-state]')].flatMap((place) => (
        within([...place.children]).map((fault) => `${place.id}: ${fault.replace(/\s+/g, ' ')}`)
      ));
    }, isCut);
    assert.deepEqual(faults, [], look);
  }

  /** Width in pixels of the ring left of a focused control that has a contrast of 3 : 1 to the background. */
  async ringWidth(control: Locator): Promise<number> {
    await this.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await control.scrollIntoViewIfNeeded();
    const without = await this.#pixelsLeftOf(control);
    await this.page.keyboard.press('Shift');
    await control.focus();
    const focused = await this.#pixelsLeftOf(control);
    return focused.filter((color, at) => contrast(color, without[at]!) >= 3 && contrast(color, focused[0]!) >= 3).length;
  }

  /** Ten pixels at half the control's height, the outermost first. */
  async #pixelsLeftOf(control: Locator): Promise<readonly Rgb[]> {
    const { x, y, height } = (await control.boundingBox())!;
    const clip = { x: Math.round(x) - 10, y: Math.round(y + height / 2), width: 10, height: 1 };
    const png = (await this.page.screenshot({ clip, caret: 'hide' })).toString('base64');
    return this.page.evaluate(async (data) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]));
      const context = new OffscreenCanvas(bitmap.width, 1).getContext('2d')!;
      context.drawImage(bitmap, 0, 0);
      const bytes = context.getImageData(0, 0, bitmap.width, 1).data;
      return Array.from({ length: bitmap.width }, (_, at) => [bytes[at * 4]!, bytes[at * 4 + 1]!, bytes[at * 4 + 2]!] as const);
    }, png);
  }
}

/** Runs in the page before its scripts. Records policy violations, and the texts of live regions: a screen reader announces each
 *  text when it changes. */
function watch(): void {
  const announced = new Map<Element, string[]>();
  const violations: string[] = [];
  Object.assign(globalThis, { announced, violations });
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sample }) => violations.push(`${effectiveDirective} ${sample}`));
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function attach(options) {
    const root = attachShadow.call(this, options);
    const last = new Map<Element, string>();
    announced.set(this, []);
    new MutationObserver(() => {
      for (const region of root.querySelectorAll('[role=status], [role=alert], [aria-live=polite]')) {
        const text = region.textContent.replace(/\s+/g, ' ').trim();
        if (text && text !== last.get(region)) announced.get(this)!.push(text);
        last.set(region, text);
      }
    }).observe(root, { childList: true, characterData: true, subtree: true });
    return root;
  };
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
