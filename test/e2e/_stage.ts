/** The demonstration in Chromium: a newspaper with its box, the BFF, the emulated service, and readers. */

import type { Browser, BrowserContext, BrowserContextOptions, Frame, Locator, Page } from 'playwright-core';
import type { VestibuleConfig } from '@vestibule/bff';
import { sharedChromium } from '../lib/shared-chromium.ts';
import { until } from '../lib/until.ts';
import { startDemo, type Demo, type DemoOptions } from '../site/demo.ts';

export const ARTICLE = '/articles/lamplighter';
export const OTHER_ARTICLE = '/articles/slow-railway';

/** Every class of character that a signature, a form encoding or a page could break. */
export const AWKWARD = "ünï ✓ 🦊 &=+%20 ~!*'()";

export interface Stage extends AsyncDisposable {
  readonly demo: Demo;
  /** A reader with a new browser profile. */
  reader(options?: BrowserContextOptions): Promise<Visitor>;
  /** Later requests find the BFF's clock later: lists that are cached are old. */
  passTime(seconds: number): void;
}

export interface Visitor extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly box: Locator;
  /** Errors of scripts, and errors in the console of all pages without failed responses: policy violations are among them. */
  readonly complaints: readonly string[];
  /** Messages of the widget in the console of all pages. */
  readonly hints: readonly string[];
  /** Opens a page and focuses the box. */
  open(path?: string): Promise<void>;
}

export interface StageOptions extends Pick<DemoOptions, 'directory' | 'embedded' | 'overrides' | 'before'> {
  /** Default: the one of the process, which closes after its tests. */
  readonly browser?: Browser;
}

export async function startStage(
  settings: Partial<VestibuleConfig> = {},
  { browser, overrides, ...options }: StageOptions = {},
): Promise<Stage> {
  let offsetMs = 0;
  const demo = await startDemo({
    port: 0, ...options,
    vestibule: { rateLimits: 'off', logLevel: 'silent', ...settings },
    overrides: { now: () => Date.now() + offsetMs, ...overrides },
  });
  const used = browser ?? await sharedChromium();
  return {
    demo,
    reader: (options) => visit(used, demo, options),
    passTime: (seconds) => { offsetMs += seconds * 1000; },
    [Symbol.asyncDispose]: () => demo[Symbol.asyncDispose](),
  };
}

async function visit(browser: Browser, demo: Demo, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const complaints: string[] = [];
  const hints: string[] = [];
  const page = await context.newPage();
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('console', (message) => {
    const text = message.text();
    if (text.startsWith('Vestibule: ')) hints.push(text);
    if (message.type() === 'error' && !/the server responded with a status/.test(text)) complaints.push(text);
  });
  const box = page.locator('vestibule-comments').first();
  return {
    context, page, box, complaints, hints,
    async open(path = ARTICLE) {
      await page.goto(demo.url + path);
      await textField(box).focus();
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

export const textField = (box: Locator): Locator => box.getByRole('textbox', { name: 'Your comment', exact: true });

export async function write({ box }: Visitor, text: string): Promise<void> {
  await textField(box).fill(text);
}

export async function post({ box }: Visitor): Promise<void> {
  await box.getByRole('button', { name: 'Post comment' }).click();
}

export function signInButton({ box }: Visitor): Locator {
  return box.getByRole('button', { name: /^Sign in (?:to comment|and post)$/ });
}

/** Presses the sign-in button. The focus moves to the window, which Playwright does not show by itself. @returns the window */
export async function openSignIn(visitor: Visitor, press = (button: Locator) => button.click()): Promise<Page> {
  const [popup] = await Promise.all([visitor.page.waitForEvent('popup'), press(signInButton(visitor))]);
  await visitor.page.evaluate(() => { document.hasFocus = () => false; });
  return popup;
}

/** At the service: chooses an account and allows access. */
export async function allow(page: Page, account = 'Ada Quill'): Promise<void> {
  await page.getByText(account).click();
  await allowButton(page).click();
}

export const allowButton = (page: Page): Locator => page.getByRole('button', { name: /^(?:Allow|Sign in)$/ });

type FormAnswers = { readonly age?: string; readonly rules?: boolean };

/** Answers the publisher's questions and submits them. */
export async function answer(form: Page | Frame | Locator, answers?: FormAnswers): Promise<void> {
  await fillIn(form, answers);
  await finishButton(form).click();
}

/** As `answer`, in a window that closes with the end of the sign-in. */
export async function answerInWindow(window: Page, answers?: FormAnswers): Promise<void> {
  await fillIn(window, answers);
  await clickToClose(window, finishButton(window));
}

export async function fillIn(form: Page | Frame | Locator, { age = '34', rules = true }: FormAnswers = {}): Promise<void> {
  await form.getByLabel(/Your age/).fill(age);
  if (rules) await form.getByLabel(/house rules/).check();
}

export function finishButton(form: Page | Frame | Locator): Locator {
  return form.getByRole('button', { name: /^Continue as / });
}

/** Clicks a button that closes its window. Playwright may report such a click as failed: its page is gone. */
export async function clickToClose(window: Page, button: Locator): Promise<void> {
  await button.click({ trial: true });
  const closed = window.waitForEvent('close');
  await button.click().catch((error: unknown) => closed.catch(() => { throw error; }));
  await closed;
}

/** From the service's page, to which the page itself led, to the end of the sign-in. */
export async function finishInPage({ page, box }: Visitor): Promise<void> {
  await page.waitForURL(/authorize|entrance/);
  await allow(page);
  await page.waitForURL(new RegExp(ARTICLE));
  await answer(box);
  await page.waitForURL(/audiencesync\/complete/);
}

/** Resolves when the comment stands below the box, as others will see it. */
export async function isPosted({ box }: Pick<Visitor, 'box'>, text: string): Promise<void> {
  const comment = box.getByRole('listitem').filter({ hasText: text }).first();
  await until('the comment is posted', async () => await comment.isVisible() && await comment.locator('.entry:not(.unseen)').count() === 0);
}

/** Resolves when the box says so by its state. */
export async function isSignedIn(box: Locator): Promise<void> {
  await until('the reader is signed in', () => box.evaluate((element) => element.matches(':state(signed-in)')));
}

/** The whole sign-in in a window. A text in the field is posted with it. */
export async function signIn(visitor: Visitor, account?: string): Promise<void> {
  const popup = await openSignIn(visitor);
  await allow(popup, account);
  await answerInWindow(popup);
  await isSignedIn(visitor.box);
}
