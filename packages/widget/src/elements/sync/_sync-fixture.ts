/** The element on a test page, and its effects on the page. */

import { fixtureCleanup } from '@open-wc/testing';
import type { FormField, SessionState, SessionView, SyncOffer, SyncReturn } from '@vestibule/shared';
import type { BffScript } from '../../../testing/scripted-bff.ts';
import { until } from '../../_until.ts';
import { ScriptedBff } from './_scripted-bff.ts';
import { VestibuleSync } from './vestibule-sync.ts';

if (!customElements.get('vestibule-sync')) customElements.define('vestibule-sync', VestibuleSync);

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

/** The answer that ends a sync. */
export const outcome = (name: 'accepted' | 'rejected' | 'cancelled', more: { reason?: string; completion_url?: string } = {}) => (
  { json: { outcome: name, completion_url: completionUrl, ...more } }
);

export interface MountOptions extends BffScript {
  /** Query of the page's address. */
  readonly search?: string;
  /** Of an element that was there before. */
  readonly bff?: ScriptedBff;
  readonly parent?: ParentNode & Node;
  readonly properties?: Partial<VestibuleSync>;
}

export interface MountedSync {
  readonly element: VestibuleSync;
  readonly bff: ScriptedBff;
  /** Events and navigations in order. */
  readonly story: string[];
}

/** Adds the element to the page until the end of the test. */
export async function mountSync(options: MountOptions = {}): Promise<MountedSync> {
  const { search = '', bff = new ScriptedBff(), parent = document.body, properties, ...script } = options;
  await bff.script(script);
  history.replaceState(null, '', location.pathname + search);
  const story: string[] = [];
  const element = document.createElement('vestibule-sync');
  Object.assign(element, { bff: bff.url }, properties);
  Object.assign(element.browser, {
    replace: (url: string) => void story.push(`replaced by ${url}`),
    assign: (url: string) => void story.push(`gone to ${url}`),
    close: () => (story.push('closed'), false),
  });
  element.addEventListener('vestibule-state', ({ detail }) => story.push(`state ${detail.state}`));
  element.addEventListener('vestibule-error', ({ detail }) => story.push(`error ${detail.problem.type}`));
  element.addEventListener('vestibule-completed', ({ detail }) => story.push(`completed ${detail.completionUrl}`));
  parent.append(element);
  mounted.add(element);
  await element.updateComplete;
  return { element, bff, story };
}

const mounted = new Set<Element>();

/** Restores the page. */
export function clearPage(): void {
  for (const element of mounted) element.remove();
  mounted.clear();
  fixtureCleanup();
  sessionStorage.clear();
  history.replaceState(null, '', location.pathname);
}

/** Text on the screen. */
export function textOf({ element }: Pick<MountedSync, 'element'>): string {
  return element.shadowRoot!.querySelector('section')!.textContent!.replace(/\s+/g, ' ').trim();
}

export function headingOf({ element }: Pick<MountedSync, 'element'>): string | undefined {
  return element.shadowRoot!.querySelector('#heading')?.textContent!.trim();
}

/** Resolves once the step with this heading is shown. */
export async function reach(sync: MountedSync, heading: string): Promise<void> {
  await until(() => headingOf(sync) === heading, `"${heading}" is shown`);
}

/** Resolves once `text` is on the screen. */
export async function see(sync: MountedSync, text: string): Promise<void> {
  await until(() => textOf(sync).includes(text), `"${text}" is shown`);
}

export function button({ element }: Pick<MountedSync, 'element'>, label: string): HTMLButtonElement {
  const found = [...element.shadowRoot!.querySelectorAll<HTMLButtonElement>('button, a')]
    .find((candidate) => candidate.textContent!.replace(/\s+/g, ' ').trim() === label);
  if (!found) throw new Error(`no button "${label}"`);
  return found;
}

/** The control that is labelled `label`. */
export function control({ element }: Pick<MountedSync, 'element'>, label: string): HTMLInputElement {
  const found = [...element.shadowRoot!.querySelectorAll('label')].find((candidate) => candidate.textContent!.includes(label));
  if (!found?.control) throw new Error(`no control "${label}"`);
  return found.control as HTMLInputElement;
}

/** Sets the value with the events of typing. */
export function answer(sync: Pick<MountedSync, 'element'>, label: string, value: string | boolean): void {
  const target = control(sync, label);
  if (typeof value === 'boolean') target.checked = value;
  else target.value = value;
  target.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

/** Label of the focused control, or text of the focused button or heading. */
export function focusOf({ element }: Pick<MountedSync, 'element'>): string {
  const target = element.shadowRoot!.activeElement;
  const label = (target as Partial<HTMLInputElement> | null)?.labels?.[0] ?? target;
  return label?.textContent?.replace(/\(optional\)|\*/g, '').replace(/\s+/g, ' ').trim() ?? 'nowhere';
}
