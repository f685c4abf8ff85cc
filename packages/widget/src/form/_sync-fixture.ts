/** The validation form in a test, found as its reader finds it, and its effects on the page: events, navigations and a closed
 *  window, in order. */

import type { FormField, SessionState, SessionView, SyncOffer, SyncReturn, SyncValidation } from '@vestibule/shared';
import { until } from '../../../../test/lib/until.ts';
import type { BffScript, ScriptedAnswer } from '../../testing/scripted-bff.ts';
import { TestBff } from '../_bff.ts';
import { goTo, replace, Seen } from '../box/_box.ts';
import type { VestibuleSync } from './vestibule-sync.ts';

export const ada = { user_id: '42', username: 'Ada Lovelace' };

export const syncReturn: SyncReturn = { code: 'c0de', ...ada, audiencesync_uri: 'https://service.example/audiencesync/complete/' };

/** The query of a return to the publisher. */
export const returnQuery = `?${new URLSearchParams({ ...syncReturn })}`;

export const completionUrl = `${syncReturn.audiencesync_uri}?client_id=p&user_id=42&access_token=t0ken&success=1`;

export function session(state: SessionState, more: Partial<SessionView> = {}): SessionView {
  return { state, ...(state === 'signed-in' && { user: ada }), limits: { message_max_length: 10_000 }, ...more };
}

/** A sign-in that waits for the answers to `fields`. */
export function offer(fields: readonly FormField[] = [], more: Partial<SyncOffer> = {}): SyncOffer {
  return { id: 'sync-of-ada', user: ada, forum: 'news', form: { fields }, ...more };
}

export const validating = (...fields: FormField[]): SessionView => session('validating', { sync: offer(fields) });

/** The response that ends a sign-in. */
export const outcome = (name: 'accepted' | 'rejected' | 'cancelled', more: { reason?: string; completion_url?: unknown } = {}): ScriptedAnswer => (
  { json: { outcome: name, completion_url: completionUrl, ...more } }
);

export interface FormOptions extends BffScript {
  /** Query of the page's address. */
  readonly search?: string;
  /** Of a form that was there before. */
  readonly bff?: TestBff;
  readonly parent?: Node;
  readonly attributes?: Readonly<Record<string, string>>;
  /** Data that the page carries. */
  readonly data?: Partial<SessionView>;
}

const mounted = new Set<Form>();

export class Form extends Seen<VestibuleSync> {
  readonly bff: TestBff;
  readonly story: string[] = [];

  constructor(bff: TestBff, element: VestibuleSync) {
    super(element);
    this.bff = bff;
    mounted.add(this);
    element.addEventListener('vestibule-state', ({ detail }) => this.story.push(`state ${detail.state}`));
    element.addEventListener('vestibule-error', ({ detail }) => this.story.push(`error ${detail.problem.type.replace('urn:vestibule:', '')}`));
    element.addEventListener('vestibule-completed', ({ detail }) => this.story.push(`completed ${detail.completionUrl}`));
  }

  get heading(): string {
    return this.part('heading')?.textContent.trim() ?? '';
  }

  role(name: string): HTMLElement {
    return this.all(`[role=${name}]`)[0]!;
  }

  /** The control with this label. */
  control<Control extends HTMLElement = HTMLInputElement>(label: string): Control {
    return this.all<HTMLLabelElement>('label').find(({ textContent }) => textContent.includes(label))!.control as Control;
  }

  /** Text that describes the control as an assistive technology reads it: help, then an error. */
  descriptionOf(label: string): string {
    const ids = this.control(label).getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map((id) => this.element.shadowRoot!.getElementById(id)!.textContent).join(' ').trim();
  }

  /** Sets the value with the event of typing. */
  answer(label: string, value: string | boolean): void {
    const control = this.control(label);
    Object.assign(control, typeof value === 'boolean' ? { checked: value } : { value });
    control.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  }

  override get focus(): string {
    return super.focus.replace('(optional)', '').trim();
  }

  /** Resolves once the step with this heading is shown. */
  async reaches(heading: string): Promise<void> {
    await this.until(() => this.heading === heading, `the heading “${heading}”`);
  }

  /** Method and path of every request. */
  async asked(): Promise<string[]> {
    return (await this.bff.requests()).map(({ method, path }) => `${method} ${path}`);
  }

  async sent(): Promise<unknown[]> {
    return (await this.bff.requests()).filter(({ method }) => method !== 'GET').map(({ body }) => body);
  }

  /** The answers of every validation. */
  async answers(): Promise<unknown[]> {
    return (await this.bff.requests('POST /sync/validation')).map(({ body }) => (body as SyncValidation).answers);
  }
}

/** Adds the form to the page until the end of the test. */
export async function openForm({ search = '', bff = new TestBff(), parent = document.body, attributes, data, ...script }: FormOptions = {}): Promise<Form> {
  await bff.set(script);
  goTo(search);
  if (data) carryData(data);
  const element = document.createElement('vestibule-sync');
  for (const [name, value] of Object.entries({ bff: bff.url, site: 'The Courier', ...attributes })) element.setAttribute(name, value);
  const form = new Form(bff, element);
  replace(window, { close: () => tell('closed') });
  parent.appendChild(element);
  // The first update shows nothing yet.
  while (!await element.updateComplete);
  return form;
}

/** The block of the BFF's page, which the form that follows takes. */
export function carryData(data: Partial<SessionView>): void {
  const block = Object.assign(document.createElement('script'), { type: 'application/json', id: 'vestibule-data' });
  block.textContent = JSON.stringify(data);
  document.body.append(block);
}

/** At the questions, or at the confirmation if there are none. */
export async function openQuestions(fields: readonly FormField[] = [], options: FormOptions = {}): Promise<Form> {
  const form = await openForm({ session: validating(...fields), ...options });
  await form.reaches(fields.length > 0 ? 'Before you comment' : 'Sign in to comment');
  return form;
}

/** The reader has confirmed the account or sent the answers. `script`: set before. */
export async function finish(options: FormOptions & { readonly then?: BffScript } = {}): Promise<Form> {
  const form = await openQuestions([], options);
  if (options.then) await form.bff.set(options.then);
  await form.press('Continue as Ada Lovelace');
  return form;
}

export const validation = (...answers: readonly ScriptedAnswer[]): FormOptions => ({ answers: { 'POST /sync/validation': answers } });

export async function requested({ bff }: Pick<Form, 'bff'>, request: string): Promise<void> {
  await until(`a request ${request}`, async () => (await bff.requests(request)).length > 0);
}

/** Replaces each text of `root`, as machine translation of a page does. */
export function translate(root: Node): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts.filter(({ data }) => data.trim())) {
    const font = document.createElement('font');
    font.textContent = text.data;
    text.replaceWith(font);
  }
}

function tell(line: string): void {
  for (const { story } of mounted) story.push(line);
}

/** Records where the page would go, and stays. */
navigation.addEventListener('navigate', (event) => {
  if (event.destination.sameDocument) return;
  event.preventDefault();
  tell(`${event.navigationType === 'replace' ? 'replaced by' : 'gone to'} ${event.destination.url}`);
});

afterEach(() => {
  for (const { element } of mounted) element.remove();
  mounted.clear();
});
