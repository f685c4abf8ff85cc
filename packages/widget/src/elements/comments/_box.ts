/** The comment box in a test: found by names and text, as a reader does. */

import { fixture } from '@open-wc/testing';
import { html, nothing } from 'lit';
import { TestBff } from '../../_bff.ts';
import '../../define.ts';
import { until } from '../../_until.ts';
import type { VestibuleComments } from './vestibule-comments.ts';

export interface BoxOptions {
  readonly bff?: TestBff;
  readonly forum?: string;
  readonly sync?: 'inline' | 'popup';
  readonly maxLength?: number;
  readonly prefill?: string;
  readonly page?: string;
  /** The box gets no focus. */
  readonly untouched?: boolean;
}

export class Box {
  readonly bff: TestBff;
  readonly element: VestibuleComments;
  readonly events: Event[] = [];

  constructor(bff: TestBff, element: VestibuleComments) {
    this.bff = bff;
    this.element = element;
    for (const type of ['state', 'posted', 'error', 'completed']) element.addEventListener(`vestibule-${type}`, (event) => this.events.push(event));
  }

  get field(): HTMLTextAreaElement {
    return this.element.shadowRoot!.querySelector('textarea')!;
  }

  get words(): string {
    return this.element.shadowRoot!.textContent.replace(/\s+/g, ' ');
  }

  get status(): string {
    return this.#textOf('#status');
  }

  get alert(): string {
    return this.#textOf('#alert');
  }

  /** The button that says `name` and can be seen. */
  button(name: string): HTMLButtonElement | undefined {
    return [...this.element.shadowRoot!.querySelectorAll('button')].find((button) => !button.hidden && button.textContent.trim() === name);
  }

  /** A button of a panel below the box. */
  panelButton(name: string): HTMLButtonElement {
    return [...this.element.shadowRoot!.querySelectorAll<HTMLButtonElement>('.panel button')].find((button) => button.textContent.trim() === name)!;
  }

  /** The focus enters the box and leaves it. */
  turnTo(): void {
    this.element.dispatchEvent(new FocusEvent('focusin', { bubbles: true, composed: true }));
  }

  write(text: string): void {
    this.field.value = text;
    this.field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }

  async press(name: string): Promise<void> {
    await this.until(() => this.button(name), `a button “${name}”`);
    this.button(name)!.click();
  }

  pressKeys(init: KeyboardEventInit = { ctrlKey: true }): void {
    this.field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true, ...init }));
  }

  async until(isSo: () => unknown, what: string): Promise<void> {
    await until(isSo, what, () => this.words);
  }

  async says(words: string): Promise<void> {
    await this.until(() => this.words.includes(words), `the words “${words}”`);
  }

  async isSignedIn(): Promise<void> {
    await this.says('Commenting as');
  }

  async isSignedOut(): Promise<void> {
    await this.until(() => this.button('Sign in to post'), 'a button to sign in');
  }

  details(type: string): unknown[] {
    return this.events.filter((event) => event.type === `vestibule-${type}`).map((event) => (event as CustomEvent).detail as unknown);
  }

  #textOf(selector: string): string {
    return this.element.shadowRoot!.querySelector(selector)!.textContent.replace(/\s+/g, ' ').trim();
  }
}

export async function openBox({ bff = new TestBff(), forum = 'news', sync, maxLength, prefill, page, untouched }: BoxOptions = {}): Promise<Box> {
  const element = await fixture<VestibuleComments>(html`
    <vestibule-comments forum=${forum} bff=${bff.url} sync=${sync ?? nothing} max-length=${maxLength ?? nothing}
      prefill=${prefill ?? nothing}
      page=${page ?? nothing}
    ></vestibule-comments>
  `);
  element.scrollIntoView();
  const box = new Box(bff, element);
  if (!untouched) box.turnTo();
  return box;
}

/** A box whose reader is signed in as Ada. */
export async function openSignedIn(options: BoxOptions = {}): Promise<Box> {
  const bff = options.bff ?? new TestBff();
  await bff.signIn();
  const box = await openBox({ ...options, bff });
  await box.isSignedIn();
  return box;
}
