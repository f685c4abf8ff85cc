/** A reader's time on a page of the newspaper, step by step. None of the steps lets the test's own scripts run in the page
 *  while something is measured: what is waited for is the BFF's answer, and two frames. */

import type { Locator, Page, Response } from 'playwright-core';
import { allow, answer } from '../e2e/_stage.ts';
import { ARTICLE } from './_newspaper.ts';

/** High enough for the whole article, its box included. */
export const WHOLE_ARTICLE = { width: 800, height: 3500 };

export function boxOf(page: Page): Locator {
  return page.locator('vestibule-comments').first();
}

/** Resolves when the BFF has said who the reader is, and the page has shown it.
 *  @throws Error that names a file of the widget's that could not be had */
export async function load(page: Page, url: string): Promise<void> {
  const answered = page.waitForResponse((response) => /\/vestibule\/session$/.test(response.url()) || isMissing(response));
  await page.goto(url);
  await turnTo(page);
  const response = await answered;
  if (isMissing(response)) throw new Error(`${response.status()} for ${response.url()}`);
  await settle(page);
}

/** The box requests the session once its reader turns to it; the form does so by itself. */
async function turnTo(page: Page): Promise<void> {
  const either = page.locator('vestibule-comments textarea, vestibule-sync section').first();
  await either.waitFor({ state: 'attached' });
  if (await either.evaluate(({ localName }) => localName) === 'textarea') await either.focus();
}

function isMissing(response: Response): boolean {
  return response.url().includes('/vestibule/') && response.status() >= 400;
}

/** Two frames, and what they left to be done. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  }));
}

/** Puts the reader's next key into the text field. */
export async function enterField(page: Page): Promise<void> {
  await boxOf(page).getByLabel('Your comment').click();
  await settle(page);
}

/** Goes to the service and comes back to the article with the form to be filled in. */
export async function reachForm(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}${ARTICLE}?sync=inline`);
  await boxOf(page).getByLabel('Your comment').focus();
  await boxOf(page).getByRole('button', { name: 'Sign in to post' }).click();
  await page.waitForURL(/authorize/);
  await allow(page);
  await page.waitForURL(/articles/);
  await boxOf(page).getByLabel(/Your age/).waitFor();
}

/** From the form on. */
export async function finishSignIn(page: Page): Promise<void> {
  await answer(boxOf(page));
  await page.waitForURL(/audiencesync\/complete/);
}

export async function write(page: Page, text: string): Promise<void> {
  await boxOf(page).getByLabel('Your comment').fill(text);
}

/** Resolves when the BFF has answered, and the page has shown it. */
export async function post(page: Page): Promise<void> {
  const { x, y } = await boxOf(page).getByRole('button', { name: 'Post comment' }).boundingBox() ?? { x: 0, y: 0 };
  const answered = page.waitForResponse(/\/posts$/);
  await page.mouse.click(x + 5, y + 5);
  await answered;
  await settle(page);
}
